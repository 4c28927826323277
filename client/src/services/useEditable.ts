// The hook of lists in which records are edited: only pages of the second script use it.

import { useMemo } from 'react';
import type { RecordOf, RecordType } from '../sync/records';
import { useFromLibrary } from './services';

/** Returns the records of a type that this device's person may edit: without what a group only shows. */
export function useEditable<T extends RecordType>(type: T): readonly RecordOf<T>[] {
  const all = useFromLibrary((library) => library.all(type));
  const spaces = useFromLibrary((library) => library.spaces);
  return useMemo(() => {
    const editable = new Set([undefined, ...spaces.filter(({ role }) => role !== 'performer').map(({ id }) => id)]);
    const shown = all.filter(({ space }) => editable.has(space));
    // The same array where nothing is left out.
    return shown.length === all.length ? all : shown;
  }, [all, spaces]);
}
