// Filters and sorts the list of routines: pure functions.

import type { Routine } from '../sync/records';
import type { Settings } from '../sync/settings';
import { searchFor } from '../ui/search';

/** Returns the routines whose title or subtitle contains every search word, sorted. */
export function shownRoutines(
  routines: readonly Routine[], search: string, sort: Settings['routinesSort'],
): Routine[] {
  const byTitle = searchFor(routines, search, (routine) => routine.title, (routine) => routine.subtitle ?? '');
  return sort === 'title' ? byTitle : byTitle.sort((one, other) => (
    (other.lastPractisedAt ?? other.createdAt) - (one.lastPractisedAt ?? one.createdAt)
  ));
}
