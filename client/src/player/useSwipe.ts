// A swipe to the side on an element that is also pressed.

import { useRef, type HTMLAttributes } from 'react';

const farEnough = 56;

/**
 * Returns the event handlers: a swipe towards the start of the line calls `onNext`, one towards its end
 * `onPrevious`. The click that ends a swipe is ignored. The element's style needs `touch-action: pan-y`.
 */
export function useSwipe(onPrevious: (() => void) | null, onNext: (() => void) | null): HTMLAttributes<HTMLElement> {
  const from = useRef<{ x: number; y: number } | null>(null);
  const wasSwiped = useRef(false);
  return {
    onPointerDown: (event) => {
      from.current = event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
      wasSwiped.current = false;
    },
    onPointerUp: (event) => {
      if (!from.current) return;
      const [across, down] = [event.clientX - from.current.x, event.clientY - from.current.y];
      from.current = null;
      if (Math.abs(across) < farEnough || Math.abs(down) > Math.abs(across)) return;
      wasSwiped.current = true;
      const isBack = getComputedStyle(event.currentTarget).direction === 'rtl' ? across < 0 : across > 0;
      (isBack ? onPrevious : onNext)?.();
    },
    onPointerCancel: () => {
      from.current = null;
    },
    onClickCapture: (event) => {
      if (!wasSwiped.current || event.detail === 0) return;
      wasSwiped.current = false;
      event.stopPropagation();
    },
  };
}
