// Which routines the list shows, and in which order: pure functions.

import type { Routine } from '../sync/records';
import { found } from '../ui/found';

/** How the list is sorted. */
export type RoutineSort = 'title' | 'practised';

/** Finds routines whose title or subtitle holds every word looked for, and sorts them. */
export function shownRoutines(
  routines: readonly Routine[], search: string, sort: RoutineSort,
): Routine[] {
  const byTitle = found(routines, search, (routine) => routine.title, (routine) => routine.subtitle ?? '');
  return sort === 'title' ? byTitle : byTitle.sort((one, other) => (
    (other.lastPractisedAt ?? other.createdAt) - (one.lastPractisedAt ?? one.createdAt)
  ));
}
