// State that outlives the page: running video uploads, and the searches for their offsets.

import { useSyncExternalStore } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import { useUploads } from '../services/useUploads';
import { partAudio } from '../parts/partAudio';
import { apiAddress } from '../apiAddress';
import { ask } from '../sync/ask';
import { browserEnvironment } from '../sync/environment';
import type { LocalLibrary } from '../sync/library';
import type { Part, Track, Video } from '../sync/records';
import type { FileUpload, UploadQueue } from '../uploads/queue';
import { Upload } from '../uploads/upload';
import { Alignments, type Alignment, type AlignmentQuestion } from './alignment';
import { VideoLinks } from './links';

interface Shared {
  readonly links: VideoLinks;
  readonly alignments: Alignments;
  /** Parts whose offset was removed by hand: no automatic search runs for them. */
  readonly declined: Set<string>;
}

let made: Shared | null = null;

/** Returns the shared instances; they are created when a video is first needed. */
export function shared({ library, uploads }: { readonly library: LocalLibrary; readonly uploads: UploadQueue }): Shared {
  if (made) return made;
  const links = new VideoLinks(
    library, uploads, (file) => new Upload(file, { library, kind: 'video' }),
    async (id) => {
      // The parts first: the server keeps videos that a part uses.
      await library.refresh();
      await ask('DELETE', apiAddress.record('video', id));
    },
  );
  const { fetch, timer } = browserEnvironment();
  const alignments = new Alignments({ fetch, timer, onJob: (listener) => library.onJob(listener) });
  return made = { links, alignments, declined: new Set() };
}

/** Reads the shared instances. */
export function useShared(): Shared {
  return shared(useServices());
}

/** The state of a part's video. */
export type VideoStatus =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending'; readonly upload: FileUpload; readonly name: string }
  | { readonly kind: 'converting'; readonly video: Video; readonly percent: number }
  | { readonly kind: 'failed'; readonly video: Video }
  | { readonly kind: 'missing' }
  | { readonly kind: 'ready'; readonly video: Video };

/** Reads the state of a part's video. */
export function useVideoStatus(part: Part): VideoStatus {
  const { jobs } = useServices();
  const uploads = useUploads('video');
  const video = useFromLibrary((current) => (part.video ? current.get('video', part.video) : undefined));
  const percent = useSyncExternalStore(jobs.subscribe, () => (
    part.video ? Math.round((jobs.of(part.video)?.progress ?? 0) * 100) : 0
  ));
  const queued = uploads.of('video', part.id);
  const sending = queued && { kind: 'sending' as const, upload: queued.upload, name: queued.file.name ?? '' };
  if (sending && (!part.video || sending.upload.trackId === null)) return sending;
  if (!part.video) return { kind: 'none' };
  if (video?.state === 'ready') return { kind: 'ready', video };
  if (video?.state === 'failed') return { kind: 'failed', video };
  if (video) return { kind: 'converting', video, percent };
  // The server has it, but its record has not arrived here yet.
  return sending ?? { kind: 'missing' };
}

/** Returns the search for a part's offset; null if its track or its video is not ready for it. */
export function questionOf(part: Part, video: Video | null, track: Track | undefined): AlignmentQuestion | null {
  const audio = partAudio(part, track);
  if (!video || video.state !== 'ready' || audio.kind !== 'ready') return null;
  return { video: video.id, track: audio.playable.trackId, start: audio.bounds.startFrame, end: audio.bounds.endFrame };
}

/** Reads the state of the search for an offset. */
export function useAlignment(question: AlignmentQuestion | null): Alignment | null {
  const { alignments } = useShared();
  return useSyncExternalStore(alignments.subscribe, () => question && alignments.of(question));
}
