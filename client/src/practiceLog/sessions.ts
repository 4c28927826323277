// When a routine was practised before now. Pure.

import type { PracticeEntry } from '../sync/records';
import { heardSections } from './entry';

/** An entry is of at most an hour, and a pause that ends a session is longer than half an hour. */
const longestGapMilliseconds = 5_400_000;

/**
 * Returns the end of the session before the one that is going on at `now`, in Unix milliseconds, from the entries of
 * one routine; null without one. The end is at least so long after its last entry began as was heard.
 */
export function lastPractised(
  entries: readonly Pick<PracticeEntry, 'startedAt' | 'heard'>[], now: number,
): number | null {
  let later = now;
  for (const { startedAt, heard } of [...entries].sort((a, b) => b.startedAt - a.startedAt)) {
    // A clock that was ahead when it was written says nothing.
    if (startedAt > now) continue;
    if (later - startedAt > longestGapMilliseconds) {
      const seconds = heardSections(heard).reduce((sum, section) => sum + section.seconds, 0);
      return Math.min(startedAt + seconds * 1_000, later);
    }
    later = startedAt;
  }
  return null;
}
