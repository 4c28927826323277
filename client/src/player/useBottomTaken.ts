// Tells the messages how much of the window's lower edge the player takes: they stand above it.

import { useLayoutEffect, type RefObject } from 'react';

/** Keeps `--bottom-taken` of the page at the height of an element, again after each change of `mode`. */
export function useBottomTaken(element: RefObject<HTMLElement>, mode: string | null): void {
  useLayoutEffect(() => {
    const shown = element.current;
    if (!shown) return undefined;
    const { style } = document.body;
    const size = new ResizeObserver(() => {
      style.setProperty('--bottom-taken', `calc(${shown.offsetHeight}px + var(--space-2) - var(--safe-bottom))`);
    });
    size.observe(shown);
    return () => {
      size.disconnect();
      style.removeProperty('--bottom-taken');
    };
  }, [element, mode]);
}
