// A line of text that scrolls if it is too long; with reduced motion it wraps instead.

import { useLayoutEffect, useRef, useState } from 'react';
import './marquee.css';

/** Shows a whole text over time. */
export function Marquee({ text }: { text: string }): JSX.Element {
  const box = useRef<HTMLSpanElement>(null);
  const [overflow, setOverflow] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => {
      const inner = element.firstElementChild;
      if (inner instanceof HTMLElement) setOverflow(Math.max(0, inner.scrollWidth - element.clientWidth));
    };
    const size = new ResizeObserver(measure);
    size.observe(element);
    measure();
    return () => size.disconnect();
  }, [text]);
  return (
    <span ref={box} className={overflow > 0 ? 'marquee is-sliding' : 'marquee'}>
      <span
        dir="auto"
        style={overflow > 0
          ? { '--slide': `${-overflow}px`, animationDuration: `${6 + overflow / 20}s` } as React.CSSProperties
          : undefined}
      >
        {text}
      </span>
    </span>
  );
}
