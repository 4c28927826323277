// What can be done with a whole routine, or a part of one, from a menu.

import type { LocalLibrary } from '../sync/library';
import type { Part, Routine } from '../sync/records';
import { limits } from '../sync/records';
import { plural } from '../ui/time';
import { toasts } from '../ui/toasts';
import { characterCount, cutTo } from '../ui/words';

/** Says what is deleted together with parts, and what stays. */
export function whatGoesWith(library: LocalLibrary, parts: readonly Part[]): string {
  const moves = parts.reduce((sum, part) => sum + library.moves(part.id).length, 0);
  const gone = [
    ...(parts.length > 0 ? [plural(parts.length, 'part')] : []),
    ...(moves > 0 ? [plural(moves, 'move')] : []),
  ];
  const stay = 'The songs stay in the library.';
  return gone.length > 0 ? `${gone.join(' and ')} will go with it. ${stay}` : stay;
}

/** Deletes a routine, to be undone from the toast. */
export function deleteRoutine(library: LocalLibrary, routine: Routine): void {
  const undo = library.remove('routine', routine.id);
  toasts.say(`“${routine.title}” is deleted.`, { action: { label: 'Undo', run: undo } });
}

/** Removes a part, to be undone from the toast. */
export function deletePart(library: LocalLibrary, part: Part): void {
  const undo = library.remove('part', part.id);
  toasts.say(`“${part.title}” is removed.`, { action: { label: 'Undo', run: undo } });
}

/** Makes a second routine with the same parts and moves. */
export function duplicateRoutine(library: LocalLibrary, routine: Routine): void {
  const ending = ' (copy)';
  const room = limits.routine.title - characterCount(ending);
  library.transact(() => {
    const copy = library.create('routine', {
      title: `${cutTo(routine.title, room).trim()}${ending}`,
      ...(routine.subtitle ? { subtitle: routine.subtitle } : {}),
    });
    for (const part of library.parts(routine.id)) {
      const { type: _type, id, createdAt: _createdAt, ...fields } = part;
      const partCopy = library.create('part', { ...fields, routine: copy });
      for (const move of library.moves(id)) {
        const { type: _moveType, id: _id, createdAt: _made, ...moveFields } = move;
        library.create('move', { ...moveFields, part: partCopy });
      }
    }
  });
  toasts.say(`“${routine.title}” is duplicated.`);
}
