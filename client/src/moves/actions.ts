// Actions on a move, from its card, its menu and its keys.

import type { PartCounts } from '../audio/playedCounts';
import { changeLoop } from '../parts/changeLoop';
import { ordered, type LoopState } from '../parts/section';
import type { Services } from '../services/services';
import type { LocalLibrary } from '../sync/library';
import type { Move, Part } from '../sync/records';
import { positionBetween } from '../sync/position';
import { remembered } from '../ui/device';
import { toasts } from '../ui/toasts';
import { words } from '../words/words';
import { endOf, inserted, isLaid, laid, reordered, usualLength, type Lay } from './laying';

function lastPosition(library: LocalLibrary, partId: string): string {
  return positionBetween(library.moves(partId).slice(-1)[0]?.position ?? null, null);
}

/** A copy lies elsewhere, so it has no counts until it is laid. */
function withoutCounts({ startCount, countLength, ...move }: Move): Omit<Move, 'startCount' | 'countLength'> {
  return move;
}

function sayWithUndo(text: string, run: () => void): void {
  toasts.say(text, { action: { label: words.common.undo, run } });
}

/** Whether a move that changes takes those that follow with it; the choice is this device's. */
export function isPushing(): boolean {
  return remembered('pushMoves') !== 'off';
}

/** Lays moves of a part on counts, or takes their counts; their order follows. Returns a function that undoes it. */
export function layMoves(library: LocalLibrary, partId: string, changes: ReadonlyMap<string, Lay>): () => void {
  const before = new Map(library.moves(partId).filter(({ id }) => changes.has(id)).map(
    ({ id, startCount, countLength }) => [id, { startCount: startCount ?? null, countLength: countLength ?? null }],
  ));
  library.transact(() => {
    for (const [id, lay] of changes) library.edit('move', id, { ...lay });
    const moves = library.moves(partId);
    const positions = moves.map(({ position }) => position).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    moves.forEach((move, at) => {
      const position = positions[at];
      if (position !== move.position) library.edit('move', move.id, { position });
    });
  });
  return () => void layMoves(library, partId, before);
}

/** Plays from a move on, if it lies on counts. */
export function seekToMove({ player, counts }: Pick<Services, 'player' | 'counts'>, move: Move): void {
  const frame = isLaid(move) ? counts.frameOf(move.startCount, player.position()) : null;
  if (frame !== null) player.seek(frame);
}

/** Moves a move to another place in the order; moves on counts take their counts along. */
export function placeMove(library: LocalLibrary, move: Move, to: number): void {
  const before = library.moves(move.part);
  const after = before.filter(({ id }) => id !== move.id);
  after.splice(to, 0, move);
  library.transact(() => {
    library.reorder('move', move.id, to);
    for (const [id, lay] of reordered(before, after)) library.edit('move', id, { ...lay });
  });
}

/** What is looped at a move: it alone, it and the next one, or the eight where it begins. */
export type MoveLoop = 'one' | 'two' | 'eight';

/** Returns the section of a loop at a move, which lies on counts. */
export function loopAtMove(
  { grid, stretch }: PartCounts, which: MoveLoop, moves: readonly Move[], at: number,
): LoopState | null {
  const move = moves[at];
  if (!move || !isLaid(move)) return null;
  const ofEight = (further: number): number | null => {
    const place = grid.positionAt(move.startCount, stretch);
    return place && grid.countOf({ eight: place.eight + further, count: 1, fraction: 0 }, stretch);
  };
  const [start, end] = which === 'eight' ? [ofEight(0), ofEight(1)]
    : [move.startCount, endOf(moves, which === 'one' ? at : Math.min(at + 1, moves.length - 1))];
  const frame = (count: number | null, border: number): number => (
    (count === null ? null : grid.frameAt(count, stretch)) ?? border
  );
  return { loopMode: 'section', ...ordered(frame(start, stretch.startFrame), frame(end, stretch.endFrame), stretch) };
}

/** Loops a section at a move. */
export function loopMoves(
  services: Pick<Services, 'player' | 'library'>, part: Part, counts: PartCounts, which: MoveLoop,
  moves: readonly Move[], at: number,
): void {
  const loop = loopAtMove(counts, which, moves, at);
  if (loop) changeLoop(services, part, counts.stretch, loop);
}

/** Adds a move at the end of a part and returns its id. */
export function addMove(
  library: LocalLibrary, partId: string, fields: { title: string; moveType: string | null },
): string {
  return library.create('move', {
    part: partId, title: fields.title, position: lastPosition(library, partId),
    ...(fields.moveType === null ? {} : { moveType: fields.moveType }),
  });
}

/** Adds a move at a count where nothing lies. Returns its id and the count at which it ends. */
export function insertMove(
  library: LocalLibrary, partId: string, start: number, fields: { title: string; moveType: string | null },
): { readonly id: string; readonly end: number } {
  const id = addMove(library, partId, fields);
  const changes = inserted(library.moves(partId), id, start, isPushing());
  layMoves(library, partId, changes);
  return { id, end: start + (changes.get(id)?.countLength ?? usualLength) };
}

/** Deletes a move; the toast undoes it. */
export function deleteMove(library: LocalLibrary, move: Move): void {
  const moves = library.moves(move.part);
  const pulled = isPushing() && isLaid(move)
    ? laid(moves, move.id, { startCount: null, countLength: null }, true) : new Map<string, Lay>();
  // The deleted one keeps its counts, for the undo.
  pulled.delete(move.id);
  const restore = library.remove('move', move.id);
  const pushBack = layMoves(library, move.part, pulled);
  sayWithUndo(words.moves.deleted(move.title), () => {
    restore();
    pushBack();
  });
}

/** Duplicates a move, right after it. */
export function duplicateMove(library: LocalLibrary, move: Move): void {
  const siblings = library.moves(move.part);
  const following = siblings[siblings.findIndex(({ id }) => id === move.id) + 1];
  const copy = library.create('move', {
    ...withoutCounts(move), position: positionBetween(move.position, following?.position ?? null),
  });
  sayWithUndo(words.moves.duplicated(move.title), () => library.remove('move', copy));
}

/** Moves a move to the end of another part. */
export function moveToPart(library: LocalLibrary, move: Move, part: Part): void {
  const { part: from, position, startCount = null, countLength = null } = move;
  library.edit('move', move.id, {
    part: part.id, position: lastPosition(library, part.id), startCount: null, countLength: null,
  });
  sayWithUndo(words.moves.moved(move.title, part.title), () => {
    library.edit('move', move.id, { part: from, position, startCount, countLength });
  });
}

/** Copies a move to the end of another part. */
export function copyToPart(library: LocalLibrary, move: Move, part: Part): void {
  const copy = library.create('move', {
    ...withoutCounts(move), part: part.id, position: lastPosition(library, part.id),
  });
  sayWithUndo(words.moves.copied(move.title, part.title), () => library.remove('move', copy));
}
