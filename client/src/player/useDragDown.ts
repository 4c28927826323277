// Dragging a sheet down by its head closes it; released early, it springs back.

import { useRef, type HTMLAttributes, type RefObject } from 'react';

const farEnough = 96;
const fastEnough = 0.6;

/** Returns the event handlers for the head of a sheet. */
export function useDragDown(
  sheet: RefObject<HTMLElement>, onClose: () => void,
): HTMLAttributes<HTMLElement> {
  const start = useRef<{ y: number; time: number } | null>(null);
  const place = (y: number): void => {
    if (sheet.current) sheet.current.style.transform = y > 0 ? `translateY(${y}px)` : '';
  };
  const distance = (event: React.PointerEvent): number => (
    start.current ? Math.max(0, event.clientY - start.current.y) : 0
  );
  return {
    onPointerDown: (event) => {
      if (event.button !== 0 || (event.target as Element).closest('button')) return;
      start.current = { y: event.clientY, time: event.timeStamp };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event) => place(distance(event)),
    onPointerUp: (event) => {
      if (!start.current) return;
      const moved = distance(event);
      const speed = moved / Math.max(1, event.timeStamp - start.current.time);
      start.current = null;
      place(0);
      if (moved > farEnough || (moved > 24 && speed > fastEnough)) onClose();
    },
    onPointerCancel: () => {
      start.current = null;
      place(0);
    },
  };
}
