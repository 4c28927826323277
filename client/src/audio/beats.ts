// The beats of a part as the engine takes them. Pure.

import type { Beat } from '../counts/grid';
import { numbersOfBeat } from '../worklet/messages';
import { startInRun } from './run';
import type { PlayableStretch, PlayerPart } from './types';

/** What the engine reads of a beat. */
export type PlayedBeat = Pick<Beat, 'frame' | 'count' | 'place' | 'metre'>;

/** The beats of tracks by their ids, as far as they are known. */
export type KnownBeats = ReadonlyMap<string, readonly PlayedBeat[]>;

/** The frames of twelve hours, which no track is longer than. */
export const longestTrackFrames = 2_073_600_000;

/** How far around a part beats are of use: a count-in has the tempo of those next to the start. */
const marginFrames = 480_000;

/** Returns the beats of a part or a run. */
export function beatsOf(part: PlayerPart, known: KnownBeats): readonly PlayedBeat[] {
  const of = (trackId: string): readonly PlayedBeat[] => known.get(trackId) ?? [];
  if (part.run) return beatsInRun(part.run, ({ trackId }) => of(trackId));
  return of(part.trackId).filter(({ frame }) => (
    frame >= part.startFrame - marginFrames && frame < part.endFrame + marginFrames
  ));
}

/** Whether a part has counts: beats around it alone do not make any. */
export function hasBeats({ startFrame, endFrame }: PlayerPart, beats: readonly PlayedBeat[]): boolean {
  return beats.some(({ frame }) => frame >= startFrame && frame < endFrame);
}

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
