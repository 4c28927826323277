// The keys of the clipper's page.

import { useLayoutEffect, useRef, type RefObject } from 'react';
import { clipperAction } from '../player/keys';
import { useSetting } from '../services/services';
import { framesOf } from '../ui/time';
import type { StageApi } from './stage/types';

interface ClipperKeys {
  readonly toggle: () => void;
  readonly seek: (deltaFrames: number) => void;
  readonly cut: () => void;
  readonly name: () => void;
  readonly setHere: (which: 'start' | 'end') => void;
  readonly clip: () => void;
  readonly loop: () => void;
  readonly remove: () => void;
  readonly escape: () => void;
  readonly stage: RefObject<StageApi>;
}

/**
 * Listens to the keyboard while the page is shown, except while the user types or a sheet is open.
 */
export function useClipperKeys(keys: ClipperKeys): void {
  const seekStep = useSetting('seekStepSeconds');
  const latest = useRef(keys);
  latest.current = keys;

  // Before the page is painted, so that a key pressed at that moment works.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || target?.closest('input, textarea, select, dialog, [role=menu]')) return;
      const action = clipperAction(event);
      if (action === null) return;
      // A button with keyboard focus is pressed by its own keys.
      const isPress = action === 'toggle' || action === 'clip';
      if (isPress && target?.matches('button:focus-visible, a:focus-visible, summary')) return;
      const isRepeatable = action === 'seekBack' || action === 'seekForward' || action.startsWith('zoom');
      if (!event.repeat || isRepeatable) act(action, latest.current, seekStep);
      event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [seekStep]);
}

function act(action: NonNullable<ReturnType<typeof clipperAction>>, keys: ClipperKeys, seekStep: number): void {
  const stage = keys.stage.current;
  switch (action) {
    case 'seekBack':
      return keys.seek(framesOf(-seekStep));
    case 'seekForward':
      return keys.seek(framesOf(seekStep));
    case 'start':
    case 'end':
      return keys.setHere(action);
    case 'zoomIn':
      return stage?.zoomIn();
    case 'zoomOut':
      return stage?.zoomOut();
    case 'zoomAll':
      return stage?.zoomToAll();
    default:
      return keys[action]();
  }
}
