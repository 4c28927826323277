// Full screen: the browser's own, or the whole window if an element can't have it (an iPhone).

import { useEffect, useState, type RefObject } from 'react';
import { fillScreen, fillsScreen, leaveScreen } from '../ui/fullScreen';

/** The state of full screen, and the functions that change it. */
export interface FullScreen {
  /** Null: the video floats. */
  readonly state: 'screen' | 'filling' | null;
  readonly toggle: () => void;
  readonly leave: () => void;
}

/** Follows the state of an element. */
export function useFullScreen(element: RefObject<HTMLElement>): FullScreen {
  const [state, setState] = useState<FullScreen['state']>(null);
  useEffect(() => {
    const changed = (): void => setState((before) => {
      if (fillsScreen(element.current)) return 'screen';
      return before === 'screen' ? null : before;
    });
    document.addEventListener('fullscreenchange', changed);
    return () => document.removeEventListener('fullscreenchange', changed);
  }, [element]);
  const leave = (): void => {
    if (document.fullscreenElement) leaveScreen();
    else setState(null);
  };
  const enter = (): void => {
    void fillScreen(element.current).then((isGiven) => {
      if (!isGiven) setState('filling');
    });
  };
  return { state, leave, toggle: () => (state === null ? enter() : leave()) };
}
