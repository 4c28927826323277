// Follows a media query.

import { useCallback, useSyncExternalStore } from 'react';

/** Returns whether a media query matches, and renders again when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback((listener: () => void) => {
    const list = matchMedia(query);
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  }, [query]);
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** The width from which the routine page shows parts, moves and player side by side. */
export const wideScreen = '(min-width: 62rem)';

/** Whether there is a mouse or the like, so that files can be dropped on the page. */
export const finePointer = '(any-pointer: fine)';

/** Whether the system requests reduced motion. */
export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
