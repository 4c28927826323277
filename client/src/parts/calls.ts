// What the caller says when: from the moves of a part, or of the parts of a run, and their counts. Pure.

import type { Call } from '../audio/names';
import type { Grid } from '../counts/grid';
import type { Move } from '../sync/records';
import { framesPerSecond, type Stretch } from '../timeline';

/** A part that is played. */
export interface CalledPart {
  readonly title: string;
  readonly moves: readonly Move[];
  /** Null for a song without counts: then only the part itself is called. */
  readonly grid: Pick<Grid, 'frameAt' | 'period'> | null;
  readonly stretch: Stretch;
  /** What is added to a frame of the track. */
  readonly shift: number;
}

/** Who says a move's name, or a part's: the address of its voice file. */
export interface CallVoices {
  move(move: Move): string;
  part(title: string): string;
}

/** Half a second: a beat of a song without counts. */
const plainPeriod = 24_000;

/**
 * Returns the calls of the parts that are played, in order: each move is called so many counts ahead; in a run
 * each part, too, twice as far ahead of its beginning.
 */
export function callsOf(
  parts: readonly CalledPart[], countsAhead: number, voices: CallVoices, isRun: boolean,
): Call[] {
  return parts.flatMap(({ title, moves, grid, stretch, shift }) => {
    const { startFrame, endFrame } = stretch;
    const period = (frame: number): number => grid?.period(frame) ?? plainPeriod;
    const calls: Call[] = [];
    if (isRun) {
      const ahead = Math.round(2 * countsAhead * period(startFrame));
      calls.push({
        frame: startFrame + shift, calledFrame: startFrame + shift - ahead, address: voices.part(title),
      });
    }
    for (const move of moves) {
      if (typeof move.startCount !== 'number' || !grid) continue;
      const at = grid.frameAt(move.startCount, stretch);
      // One that begins just before the part's border belongs to it.
      if (at === null || at >= endFrame || at < startFrame - period(startFrame) / 2) continue;
      const frame = Math.max(at, startFrame);
      const counted = grid.frameAt(move.startCount - countsAhead, stretch);
      // Before the track the counts go on in the tempo of its beginning.
      const called = counted === null || counted === 0 ? Math.round(at - countsAhead * period(frame)) : counted;
      calls.push({ frame: frame + shift, calledFrame: Math.min(called, frame) + shift, address: voices.move(move) });
    }
    return calls.sort((one, other) => one.frame - other.frame);
  });
}

/** Well before the start, at any speed: it is said as soon as it can be. */
const announcedFrames = 20 * framesPerSecond;

/** Returns calls with an announcement before the start, which is at a frame of what is played. */
export function announced(address: string, calls: readonly Call[], startFrame: number): Call[] {
  const announcement = { frame: startFrame, calledFrame: startFrame - announcedFrames, address };
  return [
    ...calls.filter(({ frame }) => frame < startFrame), announcement, ...calls.filter(({ frame }) => frame >= startFrame),
  ];
}
