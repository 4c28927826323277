// Actions on a whole routine, or a part of one, from a menu.

import type { LocalLibrary } from '../sync/library';
import type { Part, Routine } from '../sync/records';
import { characterCount, limits } from '../sync/validation';
import { positionBetween } from '../sync/position';
import { toasts } from '../ui/toasts';
import { truncateToFit } from '../ui/text';
import { listText } from '../words/format';
import { words } from '../words/words';
import { isLevelled } from '../parts/evenLevels';
import { isPinned } from './routineSearch';

/** Says what is deleted with a routine or a part; empty if nothing is. */
export function goesWith({ parts, moves }: { readonly parts: number; readonly moves: number }): string {
  const gone = [
    ...(parts > 0 ? [words.routines.parts(parts)] : []),
    ...(moves > 0 ? [words.routines.moves(moves)] : []),
  ];
  return gone.length > 0 ? words.routines.goes(listText(gone)) : '';
}

/** Says what is deleted with a routine; empty if it has no parts. */
export function whatGoesWith(library: LocalLibrary, { id }: Routine): string {
  const parts = library.parts(id);
  return goesWith({ parts: parts.length, moves: parts.reduce((sum, part) => sum + library.moves(part.id).length, 0) });
}

/** Deletes a routine; the toast undoes it. */
export function deleteRoutine(library: LocalLibrary, routine: Routine): void {
  const undo = library.remove('routine', routine.id);
  toasts.say(words.routines.deleted(routine.title), { action: { label: words.common.undo, run: undo } });
}

/** Removes a part; the toast undoes it. */
export function deletePart(library: LocalLibrary, part: Part): void {
  const undo = library.remove('part', part.id);
  toasts.say(words.routines.removed(part.title), { action: { label: words.common.undo, run: undo } });
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
  toasts.say(words.routines.duplicated(part.title), {
    action: { label: words.common.undo, run: () => library.remove('part', copy) },
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

/** Keeps a routine at the top of the list, or no longer. */
export function pinRoutine(library: LocalLibrary, routine: Routine): void {
  library.edit('routine', routine.id, { pinned: isPinned(routine) ? null : 1 });
}

/** Duplicates a routine with its parts and moves. */
export function duplicateRoutine(library: LocalLibrary, routine: Routine): void {
  const ending = words.routines.copyEnding;
  const room = limits.routine.title - characterCount(ending);
  library.transact(() => {
    const copy = library.create('routine', {
      title: `${truncateToFit(routine.title, room).trim()}${ending}`,
      ...(routine.subtitle ? { subtitle: routine.subtitle } : {}),
      ...(routine.tags ? { tags: routine.tags } : {}),
      ...(isPinned(routine) ? { pinned: 1 } : {}),
      ...(isLevelled(routine) ? { evenLoudness: 1 } : {}),
      performanceDay: routine.performanceDay,
    }, routine.space);
    for (const part of library.parts(routine.id)) copyPart(library, part, { routine: copy });
  });
  toasts.say(words.routines.duplicated(routine.title));
}
