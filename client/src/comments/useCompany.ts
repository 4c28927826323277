// Whether a routine has comments at all: only where others read it.

import { useFromLibrary, useServices } from '../services/services';
import type { LocalLibrary } from '../sync/library';

/** Whether other people read a routine, so that there is something to say to them. */
export function hasCompany(library: LocalLibrary, routineId: string | undefined): boolean {
  const space = routineId === undefined ? undefined : library.get('routine', routineId)?.space;
  return space !== undefined && (library.spaces.find(({ id }) => id === space)?.members ?? 0) > 1;
}

/** The same for a component; never on a page that was opened by a link. */
export function useCompany(routineId: string | undefined): boolean {
  const { link } = useServices();
  return useFromLibrary((library) => link === null && hasCompany(library, routineId));
}
