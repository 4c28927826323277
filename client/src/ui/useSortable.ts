// Reordering a list by hold and drag, with SortableJS; React keeps the say over the order.

import { useEffect, useRef, type RefObject } from 'react';
import Sortable from 'sortablejs';
import { prefersReducedMotion } from './useMedia';

/** Makes the children of a list draggable by their `.grip`; calls back with the move that was made. */
export function useSortable(
  list: RefObject<HTMLElement>, onMove: (fromIndex: number, toIndex: number) => void, isEmpty: boolean,
): void {
  const latest = useRef(onMove);
  latest.current = onMove;
  useEffect(() => {
    const element = list.current;
    if (!element || isEmpty) return undefined;
    const sortable = Sortable.create(element, {
      handle: '.grip',
      animation: prefersReducedMotion() ? 0 : 180,
      forceFallback: true,
      fallbackTolerance: 4,
      ghostClass: 'is-ghost',
      dragClass: 'is-dragged',
      onEnd: ({ item, from, oldIndex, newIndex }) => {
        if (oldIndex === undefined || newIndex === undefined || oldIndex === newIndex) return;
        // SortableJS moved the element; put it back, so that React finds what it rendered.
        item.remove();
        from.insertBefore(item, from.children[oldIndex] ?? null);
        latest.current(oldIndex, newIndex);
      },
    });
    return () => sortable.destroy();
  }, [list, isEmpty]);
}
