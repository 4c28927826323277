// Which routines the list shows, and in which order: pure functions.

import type { Routine } from '../sync/records';
import { folded } from '../ui/words';

/** How the list is sorted. */
export type RoutineSort = 'title' | 'practised';

/** How the list is laid out. */
export type RoutinesLayout = 'list' | 'two' | 'three';

const collator = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

/** Finds routines whose title or subtitle holds every word looked for, and sorts them. */
export function shownRoutines(
  routines: readonly Routine[], search: string, sort: RoutineSort,
): Routine[] {
  const words = folded(search).split(/\s+/).filter((word) => word !== '');
  const found = routines.filter((routine) => {
    if (words.length === 0) return true;
    const text = folded(`${routine.title} ${routine.subtitle ?? ''}`);
    return words.every((word) => text.includes(word));
  });
  const byTitle = (one: Routine, other: Routine): number => (
    collator.compare(one.title, other.title) || (one.id < other.id ? -1 : 1)
  );
  return found.sort(sort === 'title' ? byTitle : (one, other) => (
    (other.lastPractisedAt ?? other.createdAt) - (one.lastPractisedAt ?? one.createdAt)
    || byTitle(one, other)
  ));
}

/** Gives the layout that the button shows next. */
export function nextLayout(layout: RoutinesLayout): RoutinesLayout {
  return layout === 'list' ? 'two' : layout === 'two' ? 'three' : 'list';
}
