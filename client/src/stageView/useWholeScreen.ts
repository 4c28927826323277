// Takes the whole screen while a view is shown, in browsers that give it; the view itself fills the window in any case.

import { useEffect, useRef } from 'react';
import { fillScreen, fillsScreen, leaveScreen } from '../ui/fullScreen';

/** Fills the screen with the page; `onLeave` is called if a key or a gesture of the system ends that. */
export function useWholeScreen(onLeave: () => void): void {
  const latest = useRef(onLeave);
  latest.current = onLeave;
  useEffect(() => {
    // The whole page, so that sheets and messages are shown above the view.
    const root = document.documentElement;
    let isFilled = false;
    let isOver = false;
    const changed = (): void => {
      const was = isFilled;
      isFilled = fillsScreen(root);
      if (was && !isFilled) latest.current();
    };
    document.addEventListener('fullscreenchange', changed);
    void fillScreen(root).then((isGiven) => {
      // The view was closed meanwhile.
      if (isGiven && isOver) leaveScreen();
    });
    return () => {
      isOver = true;
      document.removeEventListener('fullscreenchange', changed);
      if (fillsScreen(root)) leaveScreen();
    };
  }, []);
}
