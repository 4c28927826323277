// Follows the playhead frame by frame, without rendering: the callback draws.

import { useEffect, useMemo, useRef } from 'react';
import { useServices } from '../services/services';

/**
 * A source with a playhead: this page's player, or that of another device. Must keep its identity.
 */
export interface PlayheadSource {
  /** Calls `listener` after every change; returns a function that stops it. */
  subscribe(listener: () => void): () => void;
  /** Returns the frame that is heard now. */
  position(): number;
  readonly isMoving: boolean;
}

/**
 * Calls `draw` with the frame that is heard: on every animation frame while the sound runs, and
 * once after every change while it is stopped.
 */
export function usePlayheadOf(source: PlayheadSource, draw: (frame: number) => void): void {
  const latest = useRef(draw);
  latest.current = draw;
  // The drawing depends on more than the source: a render may have changed it.
  useEffect(() => latest.current(source.position()));
  useEffect(() => {
    let request = 0;
    const next = (): void => {
      latest.current(source.position());
      request = source.isMoving ? requestAnimationFrame(next) : 0;
    };
    const changed = (): void => {
      if (request === 0) next();
    };
    const stop = source.subscribe(changed);
    changed();
    return () => {
      stop();
      cancelAnimationFrame(request);
    };
  }, [source]);
}

/** The same for this page's own player. */
export function usePlayhead(draw: (frame: number) => void): void {
  const { player } = useServices();
  const source = useMemo((): PlayheadSource => ({
    subscribe: player.subscribe,
    position: () => player.position(),
    get isMoving() {
      return player.snapshot.state === 'playing';
    },
  }), [player]);
  usePlayheadOf(source, draw);
}
