// A long press: a second action of a button, also through the context menu.

import { useEffect, useRef, type HTMLAttributes } from 'react';

const holdMilliseconds = 500;

/**
 * Returns the event handlers of a button with one action for a press and another for a long press,
 * a right click, or Delete or Backspace.
 */
export function useLongPress(onPress: () => void, onHold: () => void): HTMLAttributes<HTMLElement> {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const wasHeld = useRef(false);
  const stop = (): void => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
  };
  useEffect(() => stop, []);

  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      stop();
      wasHeld.current = false;
      timer.current = setTimeout(() => {
        wasHeld.current = true;
        onHold();
      }, holdMilliseconds);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    onClick: (event) => {
      // The click that ends a long press is ignored; one from the keyboard never is.
      if (wasHeld.current && event.detail > 0) return;
      onPress();
    },
    onContextMenu: (event) => {
      event.preventDefault();
      const alreadyHeld = wasHeld.current;
      stop();
      wasHeld.current = true;
      if (!alreadyHeld) onHold();
    },
    onKeyDown: (event) => {
      if (event.key === 'Delete' || event.key === 'Backspace') {
        event.preventDefault();
        onHold();
      } else {
        wasHeld.current = false;
      }
    },
  };
}
