// Filters and sorts the list of routines: pure functions.

import { spaceNameOf } from '../people/spaceName';
import type { Routine } from '../sync/records';
import type { Space } from '../sync/wire';
import { searchFor } from '../ui/search';
import { hasTag, tagsOf } from './tags';

/** The orders of the list, the usual one first. */
export const routineOrders = ['practised', 'newest', 'title'] as const;

/** An order of the list. */
export type RoutineOrder = (typeof routineOrders)[number];

/** Reads a stored order. */
export function orderOf(stored: string | null): RoutineOrder {
  return routineOrders.find((order) => order === stored) ?? routineOrders[0];
}

/** What is wanted of the list. */
export interface Wanted {
  readonly search: string;
  /** Only routines that have all of these tags. */
  readonly tags: readonly string[];
  readonly order: RoutineOrder;
}

/** When a routine was practised last; one that never was counts from its creation. */
const practisedAt = (routine: Routine): number => routine.lastPractisedAt ?? routine.createdAt;

/**
 * Returns the routines with these tags whose title, subtitle, tags and group contain every search word, in
 * order, pinned ones first.
 */
export function shownRoutines(
  routines: readonly Routine[], { search, tags, order }: Wanted, spaces: readonly Space[] = [],
): Routine[] {
  const tagged = routines.filter((routine) => tags.every((tag) => hasTag(tagsOf(routine), tag)));
  const found = searchFor(
    tagged, search, ({ title }) => title, (routine) => [
      routine.subtitle ?? '', ...tagsOf(routine), spaceNameOf(spaces, routine) ?? '',
    ].join(' '),
  );
  if (order === 'practised') found.sort((one, other) => practisedAt(other) - practisedAt(one));
  if (order === 'newest') found.sort((one, other) => other.createdAt - one.createdAt);
  // Stable: among pinned routines the order is the same.
  return found.sort((one, other) => Number(isPinned(other)) - Number(isPinned(one)));
}

/** Whether a routine stays at the top of the list. */
export function isPinned({ pinned }: Pick<Routine, 'pinned'>): boolean {
  return pinned === 1;
}
