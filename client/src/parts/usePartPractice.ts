// What a part is practised with, as it changes.

import { useMemo } from 'react';
import { useSetting } from '../services/services';
import type { Part } from '../sync/records';
import { practiceOf, type PracticeSettings } from './practiceSettings';

/** Reads a part's own choices, and the app's defaults where it has none. */
export function usePartPractice(part: Part): PracticeSettings {
  const countdownSeconds = useSetting('countdownSeconds');
  const countdownRepeats = useSetting('countdownRepeats');
  return useMemo(
    () => practiceOf(part, { countdownSeconds, countdownRepeats }), [part, countdownSeconds, countdownRepeats]);
}
