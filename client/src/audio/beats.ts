// The beats of a part as the engine takes them. Pure.

import type { Beat } from '../counts/grid';
import { numbersOfBeat } from '../worklet/messages';
import { startInRun } from './run';
import type { PlayableStretch } from './types';

/** What the engine reads of a beat. */
export type PlayedBeat = Pick<Beat, 'frame' | 'count' | 'place' | 'metre'>;

/** How far around a part beats are of use: a count-in has the tempo of those that follow its start. */
export const beatMarginFrames = 480_000;

/** Returns beats as the numbers of the engine's table. */
export function packedBeats(beats: readonly PlayedBeat[]): Int32Array {
  const packed = new Int32Array(beats.length * numbersOfBeat);
  beats.forEach(({ frame, count, place, metre }, index) => {
    packed.set([frame, count, place, metre], index * numbersOfBeat);
  });
  return packed;
}

/** Returns the beats of a run, in its frames; `beatsOf` returns those of a track in a range. */
export function beatsInRun(
  stretches: readonly PlayableStretch[], beatsOf: (stretch: PlayableStretch) => readonly PlayedBeat[],
): PlayedBeat[] {
  return stretches.flatMap((stretch, index) => {
    const shift = startInRun(stretches, index) - stretch.startFrame;
    return beatsOf(stretch)
      .filter(({ frame }) => frame >= stretch.startFrame && frame < stretch.endFrame)
      .map((beat) => ({ ...beat, frame: beat.frame + shift }));
  });
}
