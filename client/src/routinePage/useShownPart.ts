// The part that a routine's page shows.

import { useEffect, useMemo, useRef } from 'react';
import { useServices } from '../services/services';
import type { Part } from '../sync/records';
import { announce } from '../ui/announce';
import { remember, remembered } from '../ui/device';

/** The shown part, and the function that shows another one. */
export interface ShownPart {
  readonly index: number;
  /** Undefined in a routine without parts. */
  readonly part: Part | undefined;
  readonly show: (index: number) => void;
}

/** Finds the part of the address, or the one that this device showed last. */
export function useShownPart(routineId: string, partId: string | null, parts: readonly Part[]): ShownPart {
  const { navigation } = useServices();
  const wanted = partId ?? remembered(`part.${routineId}`);
  const lastIndex = useRef(0);
  const found = parts.findIndex((part) => part.id === wanted);
  // After a part was deleted, its neighbour is shown.
  const index = found >= 0 ? found : Math.max(0, Math.min(lastIndex.current, parts.length - 1));
  const part = parts[index];
  lastIndex.current = index;

  const show = useMemo(() => (newIndex: number): void => {
    const next = parts[newIndex];
    if (!next) return;
    remember(`part.${routineId}`, next.id);
    navigation.settle({ page: 'routine', routineId, partId: next.id });
  }, [parts, routineId, navigation]);

  const partNow = part?.id;
  const lastPart = useRef(partNow);
  useEffect(() => {
    if (part && lastPart.current !== undefined && lastPart.current !== partNow) announce(`${index + 1}. ${part.title}`);
    lastPart.current = partNow;
  }, [partNow]);
  return { index, part, show };
}
