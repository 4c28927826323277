// Every way to say that something was missed: a tap, keys and pedals, the headset, and a remote.

import { useEffect, useRef, type PointerEvent, type MouseEvent } from 'react';
import { takeMisses } from '../parts/missTaker';
import { practiceAction } from '../player/keys';
import { isMissKey } from '../player/missKeys';
import { useServices } from '../services/services';
import { framesPerSecond } from '../timeline';
import type { RunThroughSession } from './session';

interface MissInputs {
  readonly session: RunThroughSession;
  readonly isPaused: boolean;
  readonly onEnd: () => void;
}

/** Listens to all of them; returns the handlers of the button that fills the screen. */
export function useMissInputs(inputs: MissInputs): {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onClick: (event: MouseEvent) => void;
} {
  const { player } = useServices();
  const latest = useRef(inputs);
  latest.current = inputs;
  const missAt = (timeStamp: number): void => {
    if (latest.current.isPaused) return;
    // A busy page hears of a press late.
    const late = Math.max(0, performance.now() - timeStamp) * (framesPerSecond / 1_000) * (player.snapshot.percent / 100);
    latest.current.session.miss(Math.max(0, player.position() - late));
  };
  useEffect(() => takeMisses((frame) => {
    if (!latest.current.isPaused) latest.current.session.miss(frame);
  }), []);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { session, onEnd } = latest.current;
      const button = event.target instanceof Element ? event.target.closest('button:not([data-testid=run-tap])') : null;
      if (event.key === 'Escape') onEnd();
      else if (event.key === 'Backspace' || event.key === 'Delete') session.takeBack();
      // Of a button that was reached by the Tab key these are its own.
      else if (button && (event.key === ' ' || event.key === 'Enter')) return;
      else if (isMissKey(event)) {
        if (!event.repeat) missAt(event.timeStamp);
      } else if (practiceAction(event) === null) return;
      event.preventDefault();
    };
    // Before the page below, whose keys would move the music.
    window.addEventListener('keydown', pressed, true);
    return () => window.removeEventListener('keydown', pressed, true);
  }, []);
  return {
    // Earlier than the click, by as long as a finger rests.
    onPointerDown: (event) => {
      if (event.isPrimary && event.button === 0) missAt(event.timeStamp);
    },
    // Assistive technology clicks without a pointer.
    onClick: (event) => {
      if (event.detail === 0) missAt(event.timeStamp);
    },
  };
}
