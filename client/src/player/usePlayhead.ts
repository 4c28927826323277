// Follows the sound frame by frame, without rendering: the callback draws.

import { useEffect, useRef } from 'react';
import { useServices } from '../services/services';

/**
 * Calls `draw` with the frame heard now: on every picture of the screen while the sound runs, and
 * once after every change while it stands still.
 */
export function usePlayhead(draw: (frame: number) => void): void {
  const { player } = useServices();
  const latest = useRef(draw);
  latest.current = draw;
  // What is drawn depends on the part as well: a render may have changed it.
  useEffect(() => latest.current(player.position()));
  useEffect(() => {
    let request = 0;
    const next = (): void => {
      latest.current(player.position());
      request = player.snapshot.state === 'playing' ? requestAnimationFrame(next) : 0;
    };
    const changed = (): void => {
      if (request === 0) next();
    };
    const stop = player.subscribe(changed);
    changed();
    return () => {
      stop();
      cancelAnimationFrame(request);
    };
  }, [player]);
}
