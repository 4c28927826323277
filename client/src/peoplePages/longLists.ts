// When a list of people or groups is long, how much of it is drawn, and in which order. Pure.

import { searchFor } from '../ui/search';

/** Up to this length a list is seen at a glance, and needs no search. */
export const mostWithoutSearch = 12;
/** How many rows are drawn at first, and with each press for more. */
export const rowStep = 48;
/** How many are drawn at first where something follows that one goes on to. */
export const fewRows = 6;

/** Whether a list is so long that it is searched. */
export function isLong(length: number): boolean {
  return length > mostWithoutSearch;
}

/** Returns the items whose names contain every word of a search: those of a lower rank first, then by name. */
export function listed<R extends { readonly id: string }>(
  items: readonly R[], search: string, nameOf: (item: R) => string, rankOf: (item: R) => number,
): readonly R[] {
  return searchFor(items, search, nameOf, () => '').sort((one, other) => rankOf(one) - rankOf(other));
}

/** Returns items by their ids. */
export function byId<R extends { readonly id: string }>(items: readonly R[]): ReadonlyMap<string, R> {
  return new Map(items.map((item) => [item.id, item]));
}
