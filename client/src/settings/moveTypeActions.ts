// Deleting a move type, with or without its moves.

import type { LocalLibrary } from '../sync/library';
import type { Move, MoveType } from '../sync/records';

/**
 * What happens to the moves of a deleted type: they are deleted too, or get another type or none.
 */
export type Fate = { readonly kind: 'delete' } | { readonly kind: 'retype'; readonly moveType: string | null };

/** Returns the visible moves of a type. */
export function movesOf(library: Pick<LocalLibrary, 'all'>, typeId: string): readonly Move[] {
  return library.all('move').filter((move) => move.moveType === typeId);
}

/** Deletes a type, handles its moves as chosen, and returns a function that undoes both. */
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
