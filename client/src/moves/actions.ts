// Actions on a move, from its card, its menu and its keys.

import type { LocalLibrary } from '../sync/library';
import type { Move, Part } from '../sync/records';
import { positionBetween } from '../sync/position';
import { toasts } from '../ui/toasts';
import { words } from '../words/words';

function lastPosition(library: LocalLibrary, partId: string): string {
  return positionBetween(library.moves(partId).slice(-1)[0]?.position ?? null, null);
}

function sayWithUndo(text: string, run: () => void): void {
  toasts.say(text, { action: { label: words.common.undo, run } });
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

/** Deletes a move; the toast undoes it. */
export function deleteMove(library: LocalLibrary, move: Move): void {
  sayWithUndo(words.moves.deleted(move.title), library.remove('move', move.id));
}

/** Duplicates a move, right after it. */
export function duplicateMove(library: LocalLibrary, move: Move): void {
  const siblings = library.moves(move.part);
  const following = siblings[siblings.findIndex(({ id }) => id === move.id) + 1];
  const copy = library.create('move', {
    ...move, position: positionBetween(move.position, following?.position ?? null),
  });
  sayWithUndo(words.moves.duplicated(move.title), () => library.remove('move', copy));
}

/** Moves a move to the end of another part. */
export function moveToPart(library: LocalLibrary, move: Move, part: Part): void {
  const { part: from, position } = move;
  library.edit('move', move.id, { part: part.id, position: lastPosition(library, part.id) });
  sayWithUndo(words.moves.moved(move.title, part.title), () => {
    library.edit('move', move.id, { part: from, position });
  });
}

/** Copies a move to the end of another part. */
export function copyToPart(library: LocalLibrary, move: Move, part: Part): void {
  const copy = library.create('move', {
    ...move, part: part.id, position: lastPosition(library, part.id),
  });
  sayWithUndo(words.moves.copied(move.title, part.title), () => library.remove('move', copy));
}
