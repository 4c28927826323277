// Where tracks and videos are used, and deleting them.

import type { LocalLibrary } from '../sync/library';
import { byPosition } from '../sync/position';
import type { Part, Track, Video } from '../sync/records';
import { plural } from '../ui/time';
import { toasts } from '../ui/toasts';

/** Why something is not known to be unused. */
export const unreached = 'The server can’t be reached, and another device may use this.';

/** Nobody waits longer to be asked; a server that has not answered by then counts as out of reach. */
const patienceMilliseconds = 2_000;

/** Asks the server for what other devices did; says whether it told. */
export function isFresh(library: Pick<LocalLibrary, 'refresh'>): Promise<boolean> {
  return Promise.race([
    library.refresh(),
    new Promise<boolean>((resolve) => setTimeout(resolve, patienceMilliseconds, false)),
  ]);
}

/** Gives the name of a track or a video for people. */
export function mediaName(media: Track | Video): string {
  return media.title || media.fileName || 'Untitled';
}

/** Lists the parts that play a track, each with its routine's title before its own. */
export function usesOf(
  library: Pick<LocalLibrary, 'get' | 'partsUsing'>, trackId: string,
): { readonly id: string; readonly name: string }[] {
  return named(library, library.partsUsing(trackId));
}

/** Lists the parts that a video is linked to, in the same way. */
export function showsOf(
  library: Pick<LocalLibrary, 'get' | 'partsShowing'>, videoId: string,
): { readonly id: string; readonly name: string }[] {
  return named(library, library.partsShowing(videoId));
}

/** Adds up the bytes of files as they came. */
export function bytes(media: readonly (Track | Video)[]): number {
  return media.reduce((sum, { size }) => sum + (size ?? 0), 0);
}

function named(
  library: Pick<LocalLibrary, 'get'>, parts: readonly Part[],
): { readonly id: string; readonly name: string }[] {
  return [...parts]
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
  const told = tracks.length === 1 && first ? `“${mediaName(first)}” is deleted.` : `${plural(tracks.length, 'track')} are deleted.`;
  toasts.say(told, {
    action: {
      label: 'Undo',
      run: () => library.transact(() => {
        for (const undo of undos) undo();
      }),
    },
  });
}

/** Deletes a video and unlinks it everywhere, all to be undone from the toast. */
export function deleteVideo(
  library: Pick<LocalLibrary, 'edit' | 'partsShowing' | 'remove' | 'transact'>, video: Video,
): void {
  const parts = library.partsShowing(video.id).map(({ id, videoOffset, videoMirrored }) => ({
    id, fields: { video: video.id, videoOffset: videoOffset ?? null, videoMirrored: videoMirrored ?? null },
  }));
  let undo = (): void => undefined;
  library.transact(() => {
    for (const { id } of parts) library.edit('part', id, { video: null, videoOffset: null, videoMirrored: null });
    undo = library.remove('video', video.id);
  });
  toasts.say(`“${mediaName(video)}” is deleted.`, {
    action: {
      label: 'Undo',
      run: () => library.transact(() => {
        undo();
        for (const { id, fields } of parts) library.edit('part', id, fields);
      }),
    },
  });
}
