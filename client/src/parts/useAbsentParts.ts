// The parts that can't be played now: the server is not reachable, and their audio is not on this
// device.

import { useMemo } from 'react';
import { useLibraryStatus, useOffline } from '../services/services';
import type { Part } from '../sync/records';

/** Returns the ids of the parts whose audio is not available. */
export function useAbsentParts(parts: readonly Part[]): ReadonlySet<string> {
  const { online } = useLibraryStatus();
  const { isHere } = useOffline();
  return useMemo(() => {
    if (online || !isHere) return new Set<string>();
    return new Set(parts.filter(({ id }) => !isHere(id)).map(({ id }) => id));
  }, [parts, online, isHere]);
}
