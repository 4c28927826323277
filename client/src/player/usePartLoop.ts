// A part's looping: the stored state, and the presses that change it.

import { useMemo } from 'react';
import { useServices } from '../services/services';
import type { Part } from '../sync/records';
import type { TrackStretch } from '../timeline';
import { changeLoop } from '../parts/changeLoop';
import { clearSection, loopStateOf, pressLoop, pressSection, type LoopState } from '../parts/section';
import { stopsOf } from '../parts/stops';

/** A part that can be played. */
export interface PlayablePart extends TrackStretch {
  readonly partId: string;
  /** The stretches of its waveform, if it is a run through several parts. */
  readonly stretches?: readonly TrackStretch[];
}

/** The looping of the shown part. */
export interface PartLoop {
  readonly state: LoopState;
  /** Stores a state, and applies it to the player at once. */
  set(state: LoopState): void;
  section(): void;
  whole(): void;
  clear(): void;
}

/** Reads and changes a part's looping. */
export function usePartLoop(part: Part, playable: PlayablePart | null): PartLoop {
  const services = useServices();
  return useMemo(() => {
    const { player } = services;
    const bounds = playable ?? { startFrame: 0, endFrame: 0 };
    const state = loopStateOf(part, bounds);
    const set = (next: LoopState): void => {
      if (!playable) return;
      changeLoop(services, part, playable, next);
    };
    return {
      state,
      set,
      section: () => set(pressSection(state, player.position(), bounds, stopsOf(services))),
      whole: () => set(pressLoop(state)),
      clear: () => set(clearSection(state)),
    };
  }, [part, playable, services]);
}
