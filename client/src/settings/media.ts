// Where tracks are used, and deleting them.

import type { LocalLibrary } from '../sync/library';
import { byPosition } from '../sync/position';
import type { Track } from '../sync/records';
import { plural } from '../ui/time';
import { toasts } from '../ui/toasts';

/** Gives the name of a track for people. */
export function trackName(track: Track): string {
  return track.title || track.fileName || 'Untitled';
}

/** Lists the parts that play a track, each with its routine's title before its own. */
export function usesOf(
  library: Pick<LocalLibrary, 'get' | 'partsUsing'>, trackId: string,
): { readonly id: string; readonly name: string }[] {
  return [...library.partsUsing(trackId)]
    .sort((one, other) => (
      one.routine === other.routine ? byPosition(one, other) : one.routine < other.routine ? -1 : 1
    ))
    .map((part) => (
      { id: part.id, name: `${library.get('routine', part.routine)?.title ?? ''}: ${part.title}` }
    ));
}

/** Says whether neither a part nor a clip needs a track; one on its way here is needed. */
export function isUnused(library: Pick<LocalLibrary, 'partsUsing' | 'clips'>, track: Track): boolean {
  return track.state !== 'importing' && library.partsUsing(track.id).length + library.clips(track.id).length === 0;
}

/** Deletes tracks, to be undone from the toast. */
export function deleteTracks(library: LocalLibrary, tracks: readonly Track[]): void {
  const undos: (() => void)[] = [];
  library.transact(() => undos.push(...tracks.map((track) => library.remove('track', track.id))));
  const [first] = tracks;
  const told = tracks.length === 1 && first ? `“${trackName(first)}” is deleted.` : `${plural(tracks.length, 'track')} are deleted.`;
  toasts.say(told, {
    action: {
      label: 'Undo',
      run: () => library.transact(() => {
        for (const undo of undos) undo();
      }),
    },
  });
}
