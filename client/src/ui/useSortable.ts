// Reordering a list by hold and drag, with SortableJS; React keeps the say over the order.

import { useEffect, useRef, type RefObject } from 'react';
import type Sortable from 'sortablejs';
import type { SortableOptions } from 'sortablejs';
import { addresses } from './addresses';
import { prefersReducedMotion } from './useMedia';

let loading: Promise<typeof Sortable> | null = null;

/** Loads SortableJS once. After a failure the next list tries again; keys and menus work without it. */
function load(): Promise<typeof Sortable> {
  // What the build makes of sortable.ts; not a literal in `import`, so that it stays out of app.js.
  loading ??= (import(addresses.sortable) as Promise<{ default: typeof Sortable }>).then((module) => module.default);
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

/**
 * Makes the children of a list draggable by their `.grip`; calls back with the move that was made.
 * Other `options` are read once.
 */
export function useSortable(
  list: RefObject<HTMLElement>, onMove: (fromIndex: number, toIndex: number) => void, isEmpty: boolean,
  options: SortableOptions = {},
): void {
  const latest = useRef(onMove);
  latest.current = onMove;
  const fixed = useRef(options);
  useEffect(() => {
    const element = list.current;
    if (!element || isEmpty) return undefined;
    let sortable: Sortable | null = null;
    let isGone = false;
    const begin = (loaded: typeof Sortable): void => {
      if (isGone) return;
      sortable = loaded.create(element, {
        handle: '.grip',
        animation: prefersReducedMotion() ? 0 : 180,
        forceFallback: true,
        fallbackTolerance: 4,
        ghostClass: 'is-ghost',
        dragClass: 'is-dragged',
        // Only the list's own page scrolls under what is dragged, not the pages beside it.
        scroll: element.closest<HTMLElement>('.part-page, .sheet-content, .cutter-main') ?? true,
        scrollSensitivity: 56,
        bubbleScroll: false,
        ...fixed.current,
        onEnd: (event) => {
          const { item, from, oldIndex, newIndex } = event;
          if (oldIndex === undefined || newIndex === undefined || oldIndex === newIndex) return;
          // SortableJS moved the element; put it back, so that React finds what it rendered.
          item.remove();
          from.insertBefore(item, from.children[oldIndex] ?? null);
          fixed.current.onChange?.(event);
          latest.current(oldIndex, newIndex);
        },
      });
      // From here on a hand is heard; what tests drags waits for it.
      element.dataset['sortable'] = '';
    };
    load().then(begin, () => undefined);
    return () => {
      isGone = true;
      sortable?.destroy();
      delete element.dataset['sortable'];
    };
  }, [list, isEmpty]);
}
