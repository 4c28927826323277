// The buttons on the video hide during playback while the user does not touch it.

import { useEffect, useRef, useState, type RefObject } from 'react';

/** Whether the buttons are shown, and the functions that change it. */
export interface AutoHide {
  readonly areShown: boolean;
  /** Shows the buttons, for some seconds during playback. */
  readonly wake: () => void;
  /** A tap shows the buttons, or hides them during playback. */
  readonly tap: () => void;
}

interface AutoHideState {
  readonly isPlaying: boolean;
  readonly isMenuOpen: boolean;
  readonly isFull: boolean;
  /** Whether there is a picture. */
  readonly isReady: boolean;
}

const hideMilliseconds = 3_000;

/** Keeps the state of the buttons in `frame`. */
export function useAutoHide(
  frame: RefObject<HTMLElement>, { isPlaying, isMenuOpen, isFull, isReady }: AutoHideState,
): AutoHide {
  const [isAwake, setAwake] = useState(true);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wake = (): void => {
    setAwake(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // Keyboard users still need the buttons.
      if (!frame.current?.querySelector(':focus-visible') && !frame.current?.matches(':focus-visible')) setAwake(false);
    }, hideMilliseconds);
  };
  useEffect(() => {
    wake();
    return () => clearTimeout(timer.current);
  }, [isPlaying, isMenuOpen, isFull]);
  const areShown = isAwake || !isPlaying || isMenuOpen || !isReady;
  return { areShown, wake, tap: () => (areShown && isPlaying ? setAwake(false) : wake()) };
}
