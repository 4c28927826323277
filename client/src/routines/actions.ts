// Actions on a whole routine, or a part of one, from a menu.

import type { LocalLibrary } from '../sync/library';
import type { Part, Routine } from '../sync/records';
import { characterCount, limits } from '../sync/validation';
import { positionBetween } from '../sync/position';
import { plural } from '../ui/time';
import { toasts } from '../ui/toasts';
import { truncateToFit } from '../ui/text';

/** Describes what is deleted together with parts, and what stays. */
export function whatGoesWith(library: LocalLibrary, parts: readonly Part[]): string {
  const moves = parts.reduce((sum, part) => sum + library.moves(part.id).length, 0);
  const gone = [
    ...(parts.length > 0 ? [plural(parts.length, 'part')] : []),
    ...(moves > 0 ? [plural(moves, 'move')] : []),
  ];
  const stay = 'The songs stay in the library.';
  return gone.length > 0 ? `${gone.join(' and ')} will go with it. ${stay}` : stay;
}

/** Deletes a routine; the toast undoes it. */
export function deleteRoutine(library: LocalLibrary, routine: Routine): void {
  const undo = library.remove('routine', routine.id);
  toasts.say(`“${routine.title}” is deleted.`, { action: { label: 'Undo', run: undo } });
}

/** Removes a part; the toast undoes it. */
export function deletePart(library: LocalLibrary, part: Part): void {
  const undo = library.remove('part', part.id);
  toasts.say(`“${part.title}” is removed.`, { action: { label: 'Undo', run: undo } });
}

/** Duplicates a part with its moves and spots, right after it. */
export function duplicatePart(library: LocalLibrary, part: Part): void {
  const siblings = library.parts(part.routine);
  const following = siblings[siblings.findIndex(({ id }) => id === part.id) + 1];
  let copy = '';
  library.transact(() => {
    copy = copyPart(library, part, {
      position: positionBetween(part.position, following?.position ?? null),
    });
  });
  toasts.say(`“${part.title}” is duplicated.`, {
    action: { label: 'Undo', run: () => library.remove('part', copy) },
  });
}

function copyPart(
  library: LocalLibrary, part: Part, changed: { routine?: string; position?: string },
): string {
  const copy = library.create('part', { ...part, ...changed });
  for (const move of library.moves(part.id)) library.create('move', { ...move, part: copy });
  for (const spot of library.spots(part.id)) library.create('spot', { ...spot, part: copy });
  return copy;
}

/** Duplicates a routine with its parts and moves. */
export function duplicateRoutine(library: LocalLibrary, routine: Routine): void {
  const ending = ' (copy)';
  const room = limits.routine.title - characterCount(ending);
  library.transact(() => {
    const copy = library.create('routine', {
      title: `${truncateToFit(routine.title, room).trim()}${ending}`,
      ...(routine.subtitle ? { subtitle: routine.subtitle } : {}),
    });
    for (const part of library.parts(routine.id)) copyPart(library, part, { routine: copy });
  });
  toasts.say(`“${routine.title}” is duplicated.`);
}
