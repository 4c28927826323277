// What a part is practised with, as it changes.

import { useMemo } from 'react';
import { useSetting } from '../services/services';
import type { Part } from '../sync/records';
import { practiceOf, type PracticeSettings } from './practiceSettings';

/** Reads a part's own choices, and the app's defaults where it has none. */
export function usePartPractice(part: Part): PracticeSettings {
  const countdownSeconds = useSetting<number>('countdownSeconds', 0);
  const countdownRepeats = useSetting<'every' | 'first'>('countdownRepeats', 'every');
  return useMemo(
    () => practiceOf(part, { countdownSeconds, countdownRepeats }), [part, countdownSeconds, countdownRepeats]);
}
