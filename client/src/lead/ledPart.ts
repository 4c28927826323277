// What a follower's player loads for what a leader plays, without a trace in the performer's own settings. Pure.

import { startInRun, runLength } from '../audio/run';
import type { Led } from '../parts/led';
import type { Run } from '../parts/useRun';
import type { LeadState } from './leadState';
import { shiftOf } from './leader';
import type { Followed } from './follower';

/** What is loaded, and the leader's state in its frames. */
export interface Followable {
  readonly led: Led;
  readonly followed: Followed;
}

/**
 * Returns what to load for a leader's state, at the performer's own pitch; null if that part can't be played here.
 * `whole` is the whole routine.
 */
export function followable(state: LeadState, whole: Run | null, semitones: number): Followable | null {
  const index = whole?.stretches.findIndex(({ partId }) => partId === state.part) ?? -1;
  const stretch = whole?.stretches[index];
  if (!whole || !stretch) return null;
  const run = state.isRun ? whole : alone(whole, index);
  const { stretches } = run;
  const playable = { ...run.playable, id: `followed-${state.isRun ? whole.playable.id : state.part}` };
  const { id } = playable;
  const shift = shiftOf(playable, state.part);
  const marker = (value: number | null): number | null => (value === null ? null : value - shift);
  // Of a section that is not within this part, nothing is known.
  const isHere = [state.markerA, state.markerB].every((each) => (
    each === null || (each >= stretch.startFrame && each <= stretch.endFrame)
  ));
  const loopMode = state.loopMode === 'section' && !isHere ? 'off' : state.loopMode;
  const markers = { markerA: isHere ? marker(state.markerA) : null, markerB: isHere ? marker(state.markerB) : null };
  return {
    led: {
      playable, run: { ...run, playable, stretches }, announcement: null,
      settings: {
        loopMode, ...markers, percent: state.percent, semitones, repeatLimit: 0, restSeconds: state.restSeconds,
        trainer: { from: 100, to: 100, step: 0, every: 0 },
        countIn: state.countIn, countdownSeconds: state.countdownSeconds, countdownRepeats: state.countdownRepeats,
      },
    },
    followed: { id, state: { ...state, ...markers, loopMode, frame: state.frame - shift } },
  };
}

/** Returns a run of one part of a routine. */
function alone(whole: Run, index: number): Run {
  const stretches = whole.stretches.slice(index, index + 1);
  const endFrame = runLength(stretches);
  return {
    stretches, indices: whole.indices.slice(index, index + 1),
    playable: {
      id: '', trackId: `led-${JSON.stringify(stretches)}`, trackLengthFrames: endFrame, startFrame: startInRun(stretches, 0),
      endFrame, run: stretches,
    },
  };
}
