// Reordering a list by long press and drag, with SortableJS; React keeps control of the order.

import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import type Sortable from 'sortablejs';
import type { SortableOptions } from 'sortablejs';
import { addresses } from '../builtAssets';
import { prefersReducedMotion } from './useMedia';

let loading: Promise<typeof Sortable> | null = null;

/** Leaves the network to what the first screen needs. */
const millisecondsBefore = 1_000;

/** Loads SortableJS once, a second after the first list is shown. After a failure the next list tries again; keys and menus work without it. */
function load(): Promise<typeof Sortable> {
  // The build's output of sortable.ts; not a literal in `import`, so that it stays out of app.js.
  loading ??= new Promise((resolve) => { setTimeout(resolve, millisecondsBefore); })
    .then(() => import(addresses.sortable) as Promise<{ default: typeof Sortable }>)
    .then((module) => module.default);
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

/** Ends the drag in any list, like a touchcancel from the system. */
const endDrag = (): boolean => document.dispatchEvent(new Event('touchcancel'));

const idOf = (row: Element): string => row.getAttribute('data-id') ?? '';

/**
 * Makes the children of a list draggable by their `.grip`; calls back with the moved one and its
 * new index. `ids` are the `data-id`s of the children, as rendered. The other `options` must stay
 * the same.
 */
export function useSortable(
  list: RefObject<HTMLElement>, ids: readonly string[], onMove: (id: string, toIndex: number) => void,
  options: SortableOptions = {},
): void {
  const latest = useRef({ ids, onMove });
  latest.current = { ids, onMove };
  const isEmpty = ids.length === 0;
  const held = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const item = held.current;
    if (!item) return;
    const { parentElement: rows, nextElementSibling: next } = item;
    if (!rows) {
      // It was deleted elsewhere.
      endDrag();
      return;
    }
    // Elements that were added meanwhile are placed next to React's neighbour, wherever that was
    // dragged to.
    item.remove();
    ids.filter((id) => id !== idOf(item)).forEach((id, at) => {
      const there = rows.children[at];
      const row = [...rows.children].find((each) => idOf(each) === id);
      if (row && row !== there) rows.insertBefore(row, there ?? null);
    });
    rows.insertBefore(item, next);
  });
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
        // Only the list's own page scrolls during a drag, not its neighbours.
        scroll: element.closest<HTMLElement>('.part-page, .sheet-content, .cutter-main') ?? true,
        scrollSensitivity: 56,
        bubbleScroll: false,
        ...options,
        onStart: ({ item }) => {
          held.current = item;
        },
        onEnd: (event) => {
          const { item, from } = event;
          const { ids: rendered, onMove: tell } = latest.current;
          held.current = null;
          const id = idOf(item);
          const at = rendered.indexOf(id);
          const to = [...from.children].indexOf(item);
          if (at < 0 || at === to) return;
          // SortableJS moved the element; put it back to where React rendered it.
          item.remove();
          from.insertBefore(item, from.children[at] ?? null);
          options.onChange?.(event);
          tell(id, to);
        },
      });
      // Drags work from here on; tests wait for this attribute.
      element.dataset['sortable'] = '';
    };
    load().then(begin, () => undefined);
    return () => {
      isGone = true;
      // In any list: when a list is removed, SortableJS loses its drag and would leave the ghost
      // image behind.
      endDrag();
      sortable?.destroy();
      delete element.dataset['sortable'];
    };
  }, [list, isEmpty]);
}
