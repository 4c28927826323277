// The uses of tracks and videos, and their deletion.

import type { LocalLibrary } from '../sync/library';
import { byPosition } from '../sync/position';
import type { Part, Track, Video } from '../sync/records';
import { plural } from '../ui/time';
import { toasts } from '../ui/toasts';

/** The text if it is unknown whether media are unused. */
export const unreached = 'The server can’t be reached, and another device may use this.';

/** The time limit before the question appears; after it the server counts as unreachable. */
const patienceMilliseconds = 2_000;

/** Fetches the changes of other devices; resolves to whether that succeeded. */
export function isFresh(library: Pick<LocalLibrary, 'refresh'>): Promise<boolean> {
  return Promise.race([
    library.refresh(),
    new Promise<boolean>((resolve) => setTimeout(resolve, patienceMilliseconds, false)),
  ]);
}

/** Returns the display name of a track or a video. */
export function mediaName(media: Track | Video): string {
  return media.title || media.fileName || 'Untitled';
}

/** Returns the parts that play a track, each as its routine's title and its own. */
export function usesOf(
  library: Pick<LocalLibrary, 'get' | 'partsUsing'>, trackId: string,
): { readonly id: string; readonly name: string }[] {
  return named(library, library.partsUsing(trackId));
}

/** Returns the parts that a video is linked to, in the same form. */
export function showsOf(
  library: Pick<LocalLibrary, 'get' | 'partsShowing'>, videoId: string,
): { readonly id: string; readonly name: string }[] {
  return named(library, library.partsShowing(videoId));
}

/** Returns the total size of the original files. */
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

/** Whether no part or clip needs a track; a track that is being uploaded here is needed. */
export function isUnused(library: Pick<LocalLibrary, 'partsUsing' | 'clips'>, track: Track): boolean {
  return track.state !== 'importing' && library.partsUsing(track.id).length + library.clips(track.id).length === 0;
}

/** Deletes tracks; the toast undoes it. */
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

/** Deletes a video and unlinks it everywhere; the toast undoes both. */
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
