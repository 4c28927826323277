// Actions on a part's video: linking, unlinking, mirroring, setting its offset.

import type { LocalLibrary } from '../sync/library';
import type { EditOf, Part, Video } from '../sync/records';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

/** What the actions need of the library. */
export type VideoLibrary = Pick<LocalLibrary, 'get' | 'edit' | 'partsShowing'>;

/** Returns the display name of a video. */
export function videoName(video: Video): string {
  return video.title || video.fileName || lateWords.video.untitled;
}

/** Returns all fields of a part that concern its video. */
export function videoFields(part: Part): EditOf<'part'> {
  return {
    video: part.video ?? null, videoOffset: part.videoOffset ?? null, videoMirrored: part.videoMirrored ?? null,
  };
}

/**
 * Returns what another part already knows about a video: the offset if it plays the same track (an
 * offset is in frames of the track), and whether it is mirrored.
 */
export function knownElsewhere(library: VideoLibrary, part: Part, videoId: string): EditOf<'part'> {
  const others = library.partsShowing(videoId).filter(({ id }) => id !== part.id);
  const aligned = others.find(({ track, videoOffset }) => (
    track != null && track === part.track && typeof videoOffset === 'number'
  ));
  return {
    videoOffset: aligned?.videoOffset ?? null,
    videoMirrored: others.some(({ videoMirrored }) => videoMirrored === 1) ? 1 : null,
  };
}

/** Links a video to a part. The toast restores a previous one. */
export function linkVideo(library: VideoLibrary, partId: string, videoId: string): void {
  const part = library.get('part', partId);
  if (!part || part.video === videoId) return;
  const before = videoFields(part);
  library.edit('part', partId, { video: videoId, ...knownElsewhere(library, part, videoId) });
  if (!part.video) return;
  toasts.say(lateWords.video.replaced(part.title), {
    action: { label: words.common.undo, run: () => library.edit('part', partId, before) },
  });
}

/** Removes the video from this part only. */
export function takeVideo(library: VideoLibrary, part: Part): void {
  library.edit('part', part.id, { video: null, videoOffset: null, videoMirrored: null });
}

/** Removes the video from this part only; the toast undoes it. */
export function unlinkVideo(library: VideoLibrary, part: Part): void {
  const before = videoFields(part);
  takeVideo(library, part);
  toasts.say(lateWords.video.unlinked(part.title), {
    action: { label: words.common.undo, run: () => library.edit('part', part.id, before) },
  });
}

/** Mirrors the part's video, or shows it unmirrored. */
export function mirrorVideo(library: VideoLibrary, part: Part): void {
  library.edit('part', part.id, { videoMirrored: part.videoMirrored === 1 ? null : 1 });
}

/** Returns the duration of one frame of a video, in seconds. */
export function frameSecondsOf(video: Video): number {
  const rate = video.framesPerSecond ?? 0;
  return rate >= 1 && rate <= 480 ? 1 / rate : 1 / 30;
}
