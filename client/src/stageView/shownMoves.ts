// Which move is danced and which one follows: in a part, in a loop, and across the parts of a run. Pure.

import { isLaid, lastIndex, moveAt, type LaidMove } from '../moves/laying';

/** A stretch that repeats, in counts of its part; without bounds if it is the whole part. */
export interface CountLoop {
  readonly start: number;
  readonly end: number;
}

/** The loop of a whole part. */
export const wholeLoop: CountLoop = { start: -Infinity, end: Infinity };

/** Two moves of a part, as indices; −1 for none. */
export interface ShownMoves {
  readonly current: number;
  readonly next: number;
}

/** Frames are whole, so a count that is heard may be this much before the one that is meant. */
const slack = 0.001;

/**
 * Returns the moves at a count, −∞ before the counts of the part and ∞ after them. A move without counts is only
 * ever the next one, after the move that it follows in the order.
 */
export function shownMoves(moves: readonly LaidMove[], count: number, loop: CountLoop | null): ShownMoves {
  // A loop never reaches its end.
  const at = Math.min(count + slack, loop === null ? Infinity : loop.end - slack);
  const current = moveAt(moves, at);
  const following = lastIndex(moves, (move) => isLaid(move) && move.startCount <= at) + 1;
  if (following < moves.length && (loop === null || begins(moves, following) < loop.end - slack || loop.end === Infinity)) {
    return { current, next: following };
  }
  return { current, next: loop === null ? -1 : firstOf(moves, loop) };
}

/** Returns the move with which a loop begins; −1 if it has none. */
function firstOf(moves: readonly LaidMove[], { start, end }: CountLoop): number {
  if (start === -Infinity) return moves.length > 0 ? 0 : -1;
  const danced = moveAt(moves, start + slack);
  return danced >= 0 ? danced : moves.findIndex((move) => isLaid(move) && move.startCount >= start && move.startCount < end);
}

/** Returns the count with which a move begins, or else the next one that has counts. */
function begins(moves: readonly LaidMove[], at: number): number {
  return moves.slice(at).find(isLaid)?.startCount ?? Infinity;
}

/** What is heard, for the choice of what to show. */
export interface StageMoment<M extends LaidMove> {
  /** The index of the part that is heard, and of the one that a run plays after it. */
  readonly index: number;
  readonly following: number | null;
  /** Returns the moves of a part by its index. */
  readonly movesOf: (index: number) => readonly M[];
  /** The count that is heard; −∞ before the counts of the part, ∞ after them, null if it has none. */
  readonly count: number | null;
  readonly loop: CountLoop | null;
  /** Whether the music is still to start: a countdown or a pause between repeats. */
  readonly isCounting: boolean;
}

/** What the stage view shows. */
export interface StageContent<M extends LaidMove> {
  readonly index: number;
  /** Whether moves follow the counts; else they are a list. */
  readonly isFollowing: boolean;
  readonly current: M | null;
  readonly next: M | null;
  /** The index of the part that comes next, if the next move is in it, or would be. */
  readonly nextIndex: number | null;
  /** Whether no move has begun yet, so that the number may be huge. */
  readonly isWaiting: boolean;
}

/** Chooses what to show. */
export function stageContent<M extends LaidMove>(
  { index, following, movesOf, count, loop, isCounting }: StageMoment<M>,
): StageContent<M> {
  const moves = movesOf(index);
  const isFollowing = count !== null && moves.some(isLaid);
  const shown = isFollowing ? shownMoves(moves, count, loop) : { current: -1, next: -1 };
  const current = isCounting ? -1 : shown.current;
  // What is counted in is what is danced at the place where the music starts.
  const next = isCounting && shown.current >= 0 ? shown.current : shown.next;
  const hasNextPart = next < 0 && following !== null;
  return {
    index,
    isFollowing,
    current: moves[current] ?? null,
    next: moves[next] ?? (hasNextPart ? movesOf(following)[0] ?? null : null),
    nextIndex: hasNextPart ? following : null,
    isWaiting: isFollowing && current < 0 && (isCounting || shown.next === 0),
  };
}
