// The uses of tracks and videos, and their deletion.

import type { LocalLibrary } from '../sync/library';
import { byPosition } from '../sync/position';
import type { Part, Track, Video } from '../sync/records';
import { toasts } from '../ui/toasts';
import { listText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

/** The time limit before the question appears; after it the server counts as unreachable. */
const patienceMilliseconds = 2_000;

/** Fetches the changes of other devices; resolves to whether that succeeded. */
export function isFresh(library: Pick<LocalLibrary, 'refresh'>): Promise<boolean> {
  return Promise.race([
    library.refresh(),
    new Promise<boolean>((resolve) => setTimeout(resolve, patienceMilliseconds, false)),
  ]);
}

/** A part that uses a track or a video. */
export interface Use {
  readonly id: string;
  /** The title of its routine and its own. */
  readonly name: string;
  readonly routine: string;
  readonly routineTitle: string;
}

/**
 * Returns the display name of a track or a video. One that can't be played is named by its whole
 * file name, since its title lacks the extension.
 */
export function mediaName(media: Track | Video): string {
  const { title, fileName, state } = media;
  const names = state === 'failed' ? [fileName, title] : [title, fileName];
  return names.find((name) => name) ?? lateWords.settings.untitled;
}

/** Returns the parts that play a track. */
export function usesOf(library: Pick<LocalLibrary, 'get' | 'partsUsing'>, trackId: string): readonly Use[] {
  return named(library, library.partsUsing(trackId));
}

/** Returns the parts that a video is linked to. */
export function showsOf(library: Pick<LocalLibrary, 'get' | 'partsShowing'>, videoId: string): readonly Use[] {
  return named(library, library.partsShowing(videoId));
}

/** Returns the total size of the original files. */
export function bytes(media: readonly (Track | Video)[]): number {
  return media.reduce((sum, { size }) => sum + (size ?? 0), 0);
}

function named(library: Pick<LocalLibrary, 'get'>, parts: readonly Part[]): readonly Use[] {
  return [...parts]
    .sort((one, other) => (
      one.routine === other.routine ? byPosition(one, other) : one.routine < other.routine ? -1 : 1
    ))
    .map(({ id, routine, title }) => {
      const routineTitle = library.get('routine', routine)?.title ?? '';
      return { id, name: `${routineTitle}: ${title}`, routine, routineTitle };
    });
}

/** Whether no part or clip needs a track or a video; one that is being prepared is needed. */
export function isUnused(
  library: Pick<LocalLibrary, 'partsUsing' | 'partsShowing' | 'clips'>, media: Track | Video,
): boolean {
  const { id, state } = media;
  if (state === 'importing') return false;
  if (media.type === 'video') return library.partsShowing(id).length === 0;
  return library.partsUsing(id).length + library.clips(id).length === 0;
}

/** Counts tracks and videos: `2 tracks and 1 video`; those that there are none of are left out. */
export function mediaCount(tracks: number, videos: number): string {
  const { trackCount, videoCount } = lateWords.settings;
  if (tracks + videos === 0) return trackCount(0);
  const both = [[tracks, trackCount], [videos, videoCount]] as const;
  return listText(both.filter(([count]) => count > 0).map(([count, counted]) => counted(count)));
}

/** Deletes tracks, and videos that no part is linked to; the toast undoes it. */
export function deleteMedia(library: Pick<LocalLibrary, 'remove' | 'transact'>, media: readonly (Track | Video)[]): void {
  const { settings } = lateWords;
  const undos: (() => void)[] = [];
  library.transact(() => undos.push(...media.map(({ type, id }) => library.remove(type, id))));
  const [first] = media;
  const tracks = media.filter(({ type }) => type === 'track').length;
  const told = media.length === 1 && first
    ? settings.deleted(mediaName(first)) : settings.mediaDeleted(mediaCount(tracks, media.length - tracks));
  toasts.say(told, {
    action: {
      label: words.common.undo,
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
  toasts.say(lateWords.settings.deleted(mediaName(video)), {
    action: {
      label: words.common.undo,
      run: () => library.transact(() => {
        undo();
        for (const { id, fields } of parts) library.edit('part', id, fields);
      }),
    },
  });
}
