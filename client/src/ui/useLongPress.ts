// A press that is held: another meaning for the same button, with a touch of the context menu.

import { useEffect, useRef, type HTMLAttributes } from 'react';

const holdMilliseconds = 500;

/**
 * Gives the handlers of a button that does one thing when pressed and another when held, or
 * right-clicked, or when Delete or Backspace is pressed on it.
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
      // The click that ends a hold is not a press of its own; one from the keyboard always is.
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
