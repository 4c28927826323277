// Videos being uploaded, each to be linked to a part. They continue while another page is shown.

import { Listeners } from '../sync/listeners';
import type { EditOf, Part } from '../sync/records';
import type { Upload } from '../uploads/upload';
import { toasts } from '../ui/toasts';
import { linkVideo, takeVideo, unlinkVideo, videoFields, type VideoLibrary } from './actions';

/** What a link needs of an upload. */
export type VideoUpload = Pick<
  Upload, 'state' | 'progress' | 'problem' | 'isUnusable' | 'trackId' | 'start' | 'cancel' | 'retry' | 'subscribe'
>;

interface Link {
  readonly name: string;
  readonly file: File;
  readonly upload: VideoUpload;
  /** The video that the part had when the file was picked. */
  readonly instead: string | null;
  readonly stop: () => void;
  /** The video, once it is linked. */
  linked: string | null;
  /** The part's fields before the video was linked. */
  before: EditOf<'part'>;
}

/** Running and failed uploads, by part. */
export class VideoLinks {
  /** Counts changes, for `useSyncExternalStore`. */
  version = 0;
  private readonly links = new Map<string, Link>();
  private readonly listeners = new Listeners();
  /** Parts whose video was uploaded here: uncertain properties are asked about at once. */
  readonly fresh = new Set<string>();

  constructor(
    private readonly library: VideoLibrary,
    private readonly makeUpload: (file: File) => VideoUpload,
    /** Lets the server delete a video that no part shows, and stop converting it. */
    private readonly removeVideo: (id: string) => Promise<void>,
  ) {}

  /** Calls `listener` after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Returns the upload for a part. */
  of(partId: string): { readonly name: string; readonly upload: VideoUpload } | null {
    return this.links.get(partId) ?? null;
  }

  /** Uploads that the server does not know as videos yet. */
  *unsent(): IterableIterator<readonly [part: string, link: Pick<Link, 'upload' | 'file' | 'instead'>]> {
    for (const [part, link] of this.links) if (link.linked === null) yield [part, link];
  }

  /** Whether leaving the page would lose an upload. */
  get isSending(): boolean {
    return [...this.links.values()].some(({ upload }) => upload.state === 'waiting' || upload.state === 'uploading');
  }

  /** Uploads a video; it is linked to the part as soon as the server knows it. */
  start(partId: string, file: File): void {
    this.cancel(partId);
    const upload = this.makeUpload(file);
    const stop = upload.subscribe(() => this.uploadChanged(partId));
    const instead = this.library.get('part', partId)?.video ?? null;
    this.links.set(partId, { name: file.name, file, upload, instead, stop, linked: null, before: {} });
    upload.start();
    this.changed();
  }

  /** Cancels an upload; the part keeps the video that it had before, if any. */
  cancel(partId: string): void {
    const link = this.links.get(partId);
    if (!link) return;
    this.forget(partId);
    // The part first: the server keeps videos that a part uses.
    this.takeBack(partId, link);
    link.upload.cancel().catch(() => {
      // If the request fails, the server removes the unfinished upload later.
    });
    this.changed();
  }

  /** Links a video of the library to a part instead of the running upload. */
  choose(partId: string, videoId: string): void {
    // The chosen video may be the running upload itself.
    if (this.links.get(partId)?.linked !== videoId) this.cancel(partId);
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
    if (this.links.has(part.id)) {
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

  private uploadChanged(partId: string): void {
    const link = this.links.get(partId);
    if (!link) return;
    const { state, trackId } = link.upload;
    if (link.linked === null && trackId !== null) {
      const part = this.library.get('part', partId);
      link.linked = trackId;
      link.before = part ? videoFields(part) : {};
      this.fresh.add(`${partId} ${trackId}`);
      linkVideo(this.library, partId, trackId);
    }
    // Once it is a record, the record has the state: ready, or failed with a reason.
    if (state === 'done' || (state === 'failed' && link.linked !== null)) this.forget(partId);
    // If an earlier video is linked in its place, the record would not be shown anywhere.
    if (state === 'failed' && link.upload.isUnusable && this.hasBefore(link)) {
      this.takeBack(partId, link);
      toasts.say(`“${link.name}” can’t be used. ${link.upload.problem ?? ''}`.trim(), { kind: 'problem' });
    }
    this.changed();
  }

  private hasBefore({ before }: Link): boolean {
    return !!before.video && this.library.get('video', before.video) !== undefined;
  }

  /** Restores the part's previous video if it still shows the uploaded one. */
  private takeBack(partId: string, link: Link): void {
    const part = this.library.get('part', partId);
    if (link.linked === null || part?.video !== link.linked) return;
    if (this.hasBefore(link)) this.library.edit('part', partId, link.before);
    else takeVideo(this.library, part);
  }

  private forget(partId: string): void {
    this.links.get(partId)?.stop();
    this.links.delete(partId);
  }

  private changed(): void {
    this.version += 1;
    this.listeners.tell();
  }
}
