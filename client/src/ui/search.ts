// Searches a list by words, and sorts it by locale.

import { folded } from './text';

const collator = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

/** Returns the items whose name or other text contains every search word, sorted by name. */
export function searchFor<R extends { readonly id: string }>(
  records: readonly R[], search: string, name: (record: R) => string, rest: (record: R) => string,
): R[] {
  const words = folded(search).split(/\s+/).filter((word) => word !== '');
  return records
    .filter((record) => {
      const text = folded(`${name(record)} ${rest(record)}`);
      return words.every((word) => text.includes(word));
    })
    .sort((one, other) => (
      collator.compare(name(one), name(other)) || (one.id < other.id ? -1 : 1)
    ));
}
