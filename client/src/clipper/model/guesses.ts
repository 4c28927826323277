// Suggested cuts, moved to the counts of the track. Pure.

import type { Grid } from '../../counts/grid';
import { shortestStretchFrames } from '../../timeline';
import type { StageGuess } from '../stage/types';
import type { Piece } from './pieces';

/**
 * Returns the frame of the count at which a suggested cut belongs: of the first count of an eight if one
 * is within half a beat, otherwise of the nearest count within it. Where there are no counts it stays.
 */
export function onCount(grid: Pick<Grid, 'period' | 'nearestEight' | 'nearestBeat'>, frame: number): number {
  const period = grid.period(frame);
  if (period === null) return frame;
  const near = [grid.nearestEight(frame), grid.nearestBeat(frame)]
    .find((each) => each !== null && Math.abs(each - frame) <= period / 2);
  return near ?? frame;
}

/** Returns the suggestions on their counts; of two on one count, the stronger. */
export function guessesOnCounts(
  grid: Pick<Grid, 'period' | 'nearestEight' | 'nearestBeat'> | null, guesses: readonly StageGuess[],
): readonly StageGuess[] {
  if (!grid) return guesses;
  const strengths = new Map<number, number>();
  for (const { frame, strength } of guesses) {
    const at = onCount(grid, frame);
    strengths.set(at, Math.max(strength, strengths.get(at) ?? 0));
  }
  return [...strengths].map(([frame, strength]) => ({ frame, strength }));
}

/** Returns the suggestions that leave a piece of the least length on both sides. */
export function openGuesses(guesses: readonly StageGuess[], pieces: readonly Piece[]): readonly StageGuess[] {
  return guesses.filter(({ frame }) => pieces.every((piece) => (
    Math.abs(piece.startFrame - frame) >= shortestStretchFrames && Math.abs(piece.endFrame - frame) >= shortestStretchFrames
  )));
}
