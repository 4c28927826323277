// Which routines the list shows, and in which order: pure functions.

import type { Routine } from '../sync/records';
import type { Settings } from '../sync/settings';
import { searchFor } from '../ui/search';

/** Finds routines whose title or subtitle holds every word looked for, and sorts them. */
export function shownRoutines(
  routines: readonly Routine[], search: string, sort: Settings['routinesSort'],
): Routine[] {
  const byTitle = searchFor(routines, search, (routine) => routine.title, (routine) => routine.subtitle ?? '');
  return sort === 'title' ? byTitle : byTitle.sort((one, other) => (
    (other.lastPractisedAt ?? other.createdAt) - (one.lastPractisedAt ?? one.createdAt)
  ));
}
