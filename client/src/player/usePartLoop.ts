// A part's looping: what is remembered, and the presses that change it.

import { useMemo } from 'react';
import { useServices } from '../services/services';
import type { Part } from '../sync/records';
import { announce } from '../ui/announce';
import type { Stretch } from '../ui/peaks';
import { clockWithTenths } from '../ui/time';
import { clearSection, loopStateOf, pressLoop, pressSection, setMarker, type LoopState } from '../parts/section';

/** A part that can be heard. */
export interface PlayablePart {
  readonly partId: string;
  readonly trackId: string;
  readonly startFrame: number;
  readonly endFrame: number;
  /** What its waveform is made of, where it is a run through several parts. */
  readonly stretches?: readonly Stretch[];
}

/** The looping of the part that is shown. */
export interface PartLoop {
  readonly state: LoopState;
  /** Remembers another state, and tells the player at once. */
  set(state: LoopState): void;
  section(): void;
  whole(): void;
  clear(): void;
  mark(which: 'a' | 'b'): void;
}

/** Reads and changes a part's looping. */
export function usePartLoop(part: Part, playable: PlayablePart | null): PartLoop {
  const { library, player } = useServices();
  return useMemo(() => {
    const bounds = playable ?? { startFrame: 0, endFrame: 0 };
    const state = loopStateOf(part, bounds);
    const set = (next: LoopState): void => {
      if (!playable) return;
      player.update(next);
      library.edit('part', part.id, { ...next });
      if (next.markerA !== state.markerA || next.markerB !== state.markerB || next.loopMode !== state.loopMode) {
        announce(spoken(next, playable.startFrame));
      }
    };
    return {
      state,
      set,
      section: () => set(pressSection(state, player.position(), bounds)),
      whole: () => set(pressLoop(state)),
      clear: () => set(clearSection(state)),
      mark: (which) => set(setMarker(state, which, player.position(), bounds)),
    };
  }, [part, playable, library, player]);
}

function spoken(state: LoopState, startFrame: number): string {
  const at = (frame: number): string => clockWithTenths(frame - startFrame);
  if (state.loopMode === 'section' && state.markerA !== null && state.markerB !== null) {
    return `Looping from A, ${at(state.markerA)}, to B, ${at(state.markerB)}`;
  }
  if (state.markerA !== null && state.markerB === null) return `A is at ${at(state.markerA)}. Now set B.`;
  if (state.markerB !== null && state.markerA === null) return `B is at ${at(state.markerB)}. Now set A.`;
  return state.loopMode === 'whole' ? 'Looping the part' : 'Loop off';
}
