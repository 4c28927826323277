// A long list that renders its beginning and grows when its end comes near.

import { useCallback, useRef, useState } from 'react';

const step = 48;
const lengths = new Map<string, number>();

/**
 * Returns the number of rows to show, and the ref of an element after them. A list of the same name
 * keeps its length between visits.
 */
export function useIncrementalList(name: string): [shown: number, end: (element: Element | null) => void] {
  const [shown, setShown] = useState(() => lengths.get(name) ?? step);
  const observer = useRef<IntersectionObserver | null>(null);
  const end = useCallback((element: Element | null) => {
    observer.current?.disconnect();
    observer.current = null;
    if (!element) return;
    observer.current = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      setShown((before) => {
        lengths.set(name, before + step);
        return before + step;
      });
    }, { rootMargin: '1200px' });
    observer.current.observe(element);
  }, [name]);
  return [shown, end];
}
