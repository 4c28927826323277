// Links uploaded videos to parts: what happens with a video in the upload queue, and how a part gets
// another video or none.

import type { EditOf, Part } from '../sync/records';
import type { FileUpload, Handling, QueuedFile, UploadQueue } from '../uploads/queue';
import type { NamedBlob } from '../uploads/transfer';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { linkVideo, takeVideo, unlinkVideo, videoFields, type VideoLibrary } from './actions';

/** Links videos to parts. */
export class VideoLinks {
  /** Parts whose video was uploaded here: uncertain properties are asked about at once. */
  readonly fresh = new Set<string>();

  constructor(
    private readonly library: VideoLibrary,
    private readonly uploads: UploadQueue,
    private readonly makeUpload: (file: NamedBlob) => FileUpload,
    /** Lets the server delete a video that no part shows, and stop converting it. */
    private readonly removeVideo: (id: string) => Promise<void>,
  ) {}

  /** Uploads a video; it is linked to the part as soon as the server knows it. */
  start(partId: string, file: NamedBlob): QueuedFile {
    this.cancel(partId);
    const instead = this.library.get('part', partId)?.video ?? null;
    return this.uploads.add(
      file, { kind: 'video', part: partId, instead }, (queued) => this.handle(queued, partId), this.makeUpload(file));
  }

  /** Cancels an upload; the part keeps the video that it had before, if any. */
  cancel(partId: string): void {
    this.uploads.cancel(this.uploads.of('video', partId));
  }

  /** Links a video of the library to a part instead of the running upload. */
  choose(partId: string, videoId: string): void {
    // The chosen video may be the running upload itself.
    if (this.uploads.of('video', partId)?.upload.trackId !== videoId) this.cancel(partId);
    linkVideo(this.library, partId, videoId);
  }

  /** Removes a part's video and its running upload. */
  unlink(partId: string): void {
    this.cancel(partId);
    const part = this.library.get('part', partId);
    if (part?.video) unlinkVideo(this.library, part);
  }

  /**
   * Cancels a part's video that the server is still converting, regardless of the device that sent
   * it; other parts keep it.
   */
  giveUp(part: Part): void {
    if (this.uploads.of('video', part.id)) {
      this.cancel(part.id);
      return;
    }
    const { video } = part;
    if (!video) return;
    takeVideo(this.library, part);
    if (this.library.partsShowing(video).length > 0) return;
    this.removeVideo(video).catch(() => {
      // It stays in the media library as an unused video.
    });
  }

  private handle(queued: QueuedFile, partId: string): Handling {
    const { library, uploads } = this;
    const { file, upload } = queued;
    let linked: string | null = null;
    /** The part's fields before the video was linked. */
    let before: EditOf<'part'> = {};
    const hasBefore = (): boolean => !!before.video && library.get('video', before.video) !== undefined;
    /** Restores the part's previous video if it still shows the uploaded one. */
    const takeBack = (): void => {
      const part = library.get('part', partId);
      if (linked === null || part?.video !== linked) return;
      if (hasBefore()) library.edit('part', partId, before);
      else takeVideo(library, part);
    };
    const changed = (): void => {
      const { state, trackId } = upload;
      if (linked === null && trackId !== null) {
        const part = library.get('part', partId);
        linked = trackId;
        queued.isSent = true;
        before = part ? videoFields(part) : {};
        this.fresh.add(`${partId} ${trackId}`);
        linkVideo(library, partId, trackId);
      }
      // Once it is a record, the record has the state: ready, or failed with a reason.
      if (state === 'done' || (state === 'failed' && linked !== null)) uploads.forget(queued);
      // If an earlier video is linked in its place, the record would not be shown anywhere.
      if (state === 'failed' && upload.isUnusable && hasBefore()) {
        takeBack();
        toasts.say(lateWords.video.unusable(file.name ?? lateWords.video.video, upload.problem ?? '').trim(), { kind: 'problem' });
      }
    };
    // The part first: the server keeps videos that a part uses.
    return { changed, cancelled: takeBack };
  }
}
