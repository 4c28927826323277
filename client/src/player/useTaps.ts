// Taps along with the song: collected until a pause, then written as one correction.

import { useEffect, useRef, useState } from 'react';
import { fewestTaps, pauseAfter, type Tap } from '../counts/corrections';

/** The taps that are being collected. */
export interface Taps {
  readonly count: number;
  readonly isEnough: boolean;
  tap(frame: number): void;
  /** Writes them if they are enough, and forgets them. */
  finish(): void;
  cancel(): void;
}

/** Collects taps; `write` gets them at the end. Too few are forgotten. */
export function useTaps(write: (taps: readonly Tap[]) => void): Taps {
  const [taps, setTaps] = useState<readonly Tap[]>([]);
  const isEnough = taps.length >= fewestTaps;
  const finish = (): void => {
    if (isEnough) write(taps);
    setTaps([]);
  };
  const latest = useRef(finish);
  latest.current = finish;
  useEffect(() => {
    if (taps.length === 0) return undefined;
    const timer = setTimeout(() => latest.current(), pauseAfter(taps));
    return () => clearTimeout(timer);
  }, [taps]);
  return {
    count: taps.length, isEnough, finish,
    tap: (frame) => setTaps((before) => [...before, { frame, at: performance.now() }]),
    cancel: () => setTaps([]),
  };
}
