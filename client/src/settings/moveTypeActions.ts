// Deleting a move type, with its moves or without them.

import type { LocalLibrary } from '../sync/library';
import type { Move, MoveType } from '../sync/records';

/** What becomes of the moves of a type that is deleted: they go too, or get another type or none. */
export type Fate = { readonly kind: 'delete' } | { readonly kind: 'retype'; readonly moveType: string | null };

/** Lists the shown moves of a type. */
export function movesOf(library: Pick<LocalLibrary, 'all'>, typeId: string): readonly Move[] {
  return library.all('move').filter((move) => move.moveType === typeId);
}

/** Deletes a type, does to its moves what was chosen, and gives the function that undoes both. */
export function deleteMoveType(
  library: Pick<LocalLibrary, 'all' | 'edit' | 'remove' | 'transact'>, type: MoveType, fate: Fate,
): () => void {
  const moves = movesOf(library, type.id);
  const undos: (() => void)[] = [];
  library.transact(() => {
    for (const { id } of moves) {
      if (fate.kind === 'delete') {
        undos.push(library.remove('move', id));
      } else {
        library.edit('move', id, { moveType: fate.moveType });
        undos.push(() => library.edit('move', id, { moveType: type.id }));
      }
    }
    undos.push(library.remove('moveType', type.id));
  });
  return () => library.transact(() => {
    for (const undo of undos) undo();
  });
}
