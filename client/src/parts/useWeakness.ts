// The weakness of a part or a move, for components.

import { useSyncExternalStore } from 'react';
import { weaknesses, type Weakness } from './weakness';

/** Returns the weakness of a part or a move; null if it has none. */
export function useWeakness(id: string): Weakness | null {
  return useSyncExternalStore(weaknesses.subscribe, () => weaknesses.known.get(id) ?? null);
}
