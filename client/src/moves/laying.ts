// Moves on counts as plain values: their texts, and how one that changes takes the others with it. A count is the
// number of counts after the first 1 of the part; Sources/Counts turns it into a frame and into an eight.

import type { CountPosition } from '../counts/grid';
import type { Move } from '../sync/records';

/** What laying reads of a move. */
export type LaidMove = Pick<Move, 'id' | 'startCount' | 'countLength'>;

/** The new counts of a move. */
export interface Lay {
  readonly startCount: number | null;
  readonly countLength: number | null;
}

/** How finely moves are laid by hand: the & between two counts. */
export const finest = 0.5;

/** The length of a move that is laid by hand first. */
export const usualLength = 4;

/** Returns where a move ends: after its length, else with the next move's beginning; null if neither is known. */
export function endOf(moves: readonly LaidMove[], at: number): number | null {
  const move = moves[at];
  if (typeof move?.startCount !== 'number') return null;
  if (typeof move.countLength === 'number') return move.startCount + move.countLength;
  return moves.slice(at + 1).find(isLaid)?.startCount ?? null;
}

/** Returns the index of the move that is danced at a count; −1 for none. */
export function moveAt(moves: readonly LaidMove[], count: number): number {
  return lastIndex(moves, (move, at) => (
    isLaid(move) && move.startCount <= count && count < (endOf(moves, at) ?? Infinity)
  ));
}

/** Returns the index of the last one that passes a test; −1 for none. */
export function lastIndex<T>(values: readonly T[], passes: (value: T, at: number) => boolean): number {
  for (let at = values.length - 1; at >= 0; at -= 1) {
    if (passes(values[at] as T, at)) return at;
  }
  return -1;
}

/** Whether a move has counts. */
export function isLaid<T extends LaidMove>(move: T): move is T & { readonly startCount: number } {
  return typeof move.startCount === 'number';
}

/**
 * Returns the new counts of moves after one of them changes; those of the following ones only if they are pushed: by
 * as much as its end moves.
 */
export function laid(moves: readonly LaidMove[], id: string, next: Lay, isPushing: boolean): Map<string, Lay> {
  const changes = new Map<string, Lay>([[id, next]]);
  const at = moves.findIndex((move) => move.id === id);
  const move = moves[at];
  if (!isPushing || !move) return changes;
  const end = endOf(moves, at);
  const newEnd = next.startCount === null ? move.startCount ?? null
    : next.startCount + (next.countLength ?? (end ?? 0) - (move.startCount ?? 0));
  // A move that had no counts pushes those that begin in its place.
  const from = end ?? next.startCount;
  const by = end === null ? next.countLength : newEnd === null ? null : newEnd - end;
  if (from === null || by === null || by === 0) return changes;
  for (const other of moves) {
    if (other.id === id || !isLaid(other)) continue;
    const follows = end === null ? other.startCount >= from : moves.indexOf(other) > at;
    if (follows) changes.set(other.id, { startCount: other.startCount + by, countLength: other.countLength ?? null });
  }
  return changes;
}

/**
 * Returns the counts of a move that is put at a count where nothing lies, and of those that it pushes. Pushing, it has
 * its usual length and makes the room that lacks; else it ends where the next one begins.
 */
export function inserted(moves: readonly LaidMove[], id: string, start: number, isPushing: boolean): Map<string, Lay> {
  const following = moves.filter(isLaid).filter((move) => move.id !== id && move.startCount >= start);
  const room = Math.min(...following.map(({ startCount }) => startCount)) - start;
  const length = isPushing ? usualLength : Math.max(finest, Math.min(usualLength, room));
  const changes = new Map<string, Lay>([[id, { startCount: start, countLength: length }]]);
  const by = length - room;
  if (!isPushing || by <= 0) return changes;
  for (const move of following) {
    changes.set(move.id, { startCount: move.startCount + by, countLength: move.countLength ?? null });
  }
  return changes;
}

/**
 * Returns the new beginnings after the order has changed: every move takes its counts along, up to the next one, and
 * the row begins where it began.
 */
export function reordered(before: readonly LaidMove[], after: readonly LaidMove[]): Map<string, Lay> {
  const old = before.filter(isLaid);
  const now = after.filter(isLaid);
  const changes = new Map<string, Lay>();
  const last = lastIndex(old, (move, at) => move.id !== now[at]?.id);
  const room = new Map(old.map((move, at) => [
    move.id, (old[at + 1]?.startCount ?? move.startCount + (move.countLength ?? usualLength)) - move.startCount,
  ]));
  let start = old[0]?.startCount ?? 0;
  now.forEach((move, at) => {
    if (at <= last && move.startCount !== start) {
      changes.set(move.id, { startCount: start, countLength: move.countLength ?? null });
    }
    start += room.get(move.id) ?? 0;
  });
  return changes;
}

const ampersand = (fraction: number): string => (fraction >= finest ? '&' : '');

/** Writes counts: "1–4", "5", "3&–5". The end is that of the last whole or half count. */
export function countsText(first: CountPosition, last: CountPosition | null): string {
  const start = `${first.count}${ampersand(first.fraction)}`;
  return last === null || (last.eight === first.eight && last.count === first.count) ? start : `${start}–${last.count}`;
}

/** What was typed: the count that a move begins with, whether on its &, and perhaps the count that it ends with. */
export interface TypedCounts {
  readonly first: number;
  readonly isBetween: boolean;
  readonly last: number | null;
}

/** Reads "1–4", "5-8", "7-2", "3", "3&", "& of 3" or "3& - 5"; null for anything else. */
export function readCounts(text: string): TypedCounts | null {
  const plain = text.trim().toLowerCase();
  const of = /^(?:&|and)\s*(?:of\s*)?(\d{1,2})$/.exec(plain)?.[1];
  if (of !== undefined) return { first: Number(of), isBetween: true, last: null };
  const [whole, first = '', between, last] = /^(\d{1,2})\s*(&|and)?\s*(?:[-–—]\s*(\d{1,2}))?$/.exec(plain) ?? [];
  if (whole === undefined) return null;
  return { first: Number(first), isBetween: between !== undefined, last: last === undefined ? null : Number(last) };
}
