// What a person's presses become as corrections; pure.

import type { GridCorrection } from '../sync/records';

/** The fewest taps that are written. */
export const fewestTaps = 4;

/** The most taps that a correction uses. */
export const mostTaps = 512;

/** One tap along with the song. */
export interface Tap {
  /** The frame that was heard. */
  readonly frame: number;
  /** In milliseconds, by any clock. */
  readonly at: number;
}

/** Returns the order of a new correction: its time, or one more than the last of its track if that is later. */
export function orderOfNext(corrections: readonly Pick<GridCorrection, 'order'>[], now: number): number {
  return corrections.reduce((order, correction) => Math.max(order, correction.order + 1), Math.floor(now));
}

/** Returns the fields of a correction by taps, of which there is at least one. */
export function fieldsOfTaps(taps: readonly Tap[]): Pick<GridCorrection, 'startFrame' | 'endFrame' | 'taps'> {
  // By frame: a loop may have repeated meanwhile.
  const frames = taps.slice(0, mostTaps).map(({ frame }) => frame).sort((a, b) => a - b);
  return { startFrame: frames[0] ?? 0, endFrame: (frames[frames.length - 1] ?? 0) + 1, taps: frames.join(' ') };
}

/** Returns the milliseconds without a tap that end tapping: longer than one missed beat, at any speed. */
export function pauseAfter(taps: readonly Tap[]): number {
  const [before, last] = taps.slice(-2);
  return Math.min(8_000, Math.max(2_000, before && last ? 2.5 * (last.at - before.at) : 0));
}
