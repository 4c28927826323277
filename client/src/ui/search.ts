// Finding in a list by words, and sorting it as people sort.

import { folded } from './text';

const collator = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

/** Lists what holds every word looked for, in its name or in what else is read, sorted by name. */
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
