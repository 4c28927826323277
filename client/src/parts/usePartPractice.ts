// The current practice settings of a part.

import { useMemo } from 'react';
import { useSetting } from '../services/services';
import type { Part } from '../sync/records';
import { practiceOf, type PracticeSettings } from './practiceSettings';

/** Reads a part's own settings, or the app's defaults. */
export function usePartPractice(part: Part): PracticeSettings {
  const countdownSeconds = useSetting('countdownSeconds');
  const countdownRepeats = useSetting('countdownRepeats');
  return useMemo(
    () => practiceOf(part, { countdownSeconds, countdownRepeats }), [part, countdownSeconds, countdownRepeats]);
}
