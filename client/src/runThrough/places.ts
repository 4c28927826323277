// Places in a whole routine, as one line of its playable parts: of what was heard, of misses, and of moves to step to. Pure.

import { placeInRun, runLength, startInRun } from '../audio/run';
import type { Covered, Miss } from '../practice/misses';
import type { PracticePart } from '../practice/parts';
import { framesPerSecond } from '../timeline';
import type { RunParts } from './heardRanges';

/** A range of the line, as shares of its length from 0 to 1. */
export interface Share {
  readonly start: number;
  readonly end: number;
}

/** Steps in a part whose moves have no counts. */
const plainStepFrames = 2 * framesPerSecond;

/** Returns the frame of the line at which a frame of a part lies; null if the part is not on it. */
export function frameOnLine({ stretches, partIds }: RunParts, partId: string, frame: number): number | null {
  const index = partIds.indexOf(partId);
  const stretch = stretches[index];
  if (!stretch) return null;
  return startInRun(stretches, index) + Math.min(stretch.endFrame, Math.max(stretch.startFrame, frame)) - stretch.startFrame;
}

/** Returns where a miss lies on the line, from 0 to 1; null if its part is not on it. */
export function shareOf(run: RunParts, { partId, frame }: Pick<Miss, 'partId' | 'frame'>): number | null {
  const at = frameOnLine(run, partId, frame);
  return at === null ? null : at / Math.max(1, runLength(run.stretches));
}

/** Returns the parts on the line. */
export function partShares({ stretches }: RunParts): Share[] {
  const length = Math.max(1, runLength(stretches));
  let start = 0;
  return stretches.map(({ startFrame, endFrame }) => {
    const from = start;
    start += endFrame - startFrame;
    return { start: from / length, end: start / length };
  });
}

/** Returns what was heard on the line. */
export function heardShares(run: RunParts, covered: readonly Covered[]): Share[] {
  return covered.flatMap(({ partId, startFrame, endFrame }) => {
    const start = shareOf(run, { partId, frame: startFrame });
    const end = shareOf(run, { partId, frame: endFrame });
    return start !== null && end !== null && end > start ? [{ start, end }] : [];
  });
}

/** Returns what would be missed at a frame of the line: the move there, or else the place in its part. */
export function missAt(run: RunParts, parts: readonly PracticePart[], lineFrame: number): Miss | null {
  const place = placeInRun(run.stretches, lineFrame);
  const partId = run.partIds[place.index];
  const stretch = run.stretches[place.index];
  if (partId === undefined || !stretch) return null;
  const frame = Math.round(Math.min(place.frame, stretch.endFrame - 1));
  const begun = laidMoves(parts, partId).filter(({ startFrame }) => startFrame <= frame);
  return { partId, frame, moveId: begun[begun.length - 1]?.id ?? null };
}

/** Returns the frames of the line that keys step to: the beginnings of moves, and of parts. */
export function stopsOnLine(run: RunParts, parts: readonly PracticePart[]): number[] {
  const stops = run.stretches.flatMap(({ startFrame, endFrame }, index) => {
    const partId = run.partIds[index] ?? '';
    const moves = laidMoves(parts, partId);
    const own = moves.length > 0
      ? moves.map((move) => move.startFrame).filter((frame) => frame < endFrame)
      : Array.from({ length: Math.floor((endFrame - startFrame) / plainStepFrames) }, (_, at) => startFrame + at * plainStepFrames);
    return [startFrame, ...own].map((frame) => frameOnLine(run, partId, frame) ?? 0);
  });
  return [...new Set(stops)].sort((one, other) => one - other);
}

/** Returns the next stop in a direction; the frame itself after the last one. */
export function nextStop(stops: readonly number[], frame: number, direction: 1 | -1): number {
  const found = direction > 0 ? stops.find((stop) => stop > frame) : [...stops].reverse().find((stop) => stop < frame);
  return found ?? frame;
}

/** Returns the indices of the first and the last part that were heard; null if none of them is on the line. */
export function heardParts(partIds: readonly string[], covered: readonly Covered[]): { readonly first: number; readonly last: number } | null {
  const heard = covered.map(({ partId }) => partIds.indexOf(partId)).filter((index) => index >= 0);
  return heard.length === 0 ? null : { first: Math.min(...heard), last: Math.max(...heard) };
}

function laidMoves(parts: readonly PracticePart[], partId: string): { readonly id: string; readonly startFrame: number }[] {
  const moves = parts.find(({ id }) => id === partId)?.moves ?? [];
  return moves
    .flatMap(({ id, startFrame }) => (startFrame === null ? [] : [{ id, startFrame }]))
    .sort((one, other) => one.startFrame - other.startFrame);
}
