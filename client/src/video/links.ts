// Videos on their way into the library, each to be linked to a part. They go on while one is elsewhere.

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
  /** The video, once the part has it. */
  linked: string | null;
  /** What the part had before it was linked. */
  before: EditOf<'part'>;
}

/** The videos under way or failed, by part. */
export class VideoLinks {
  /** Counts changes, for `useSyncExternalStore`. */
  version = 0;
  private readonly links = new Map<string, Link>();
  private readonly listeners = new Listeners();
  /** Parts whose video came from here: what is not certain about it is asked at once. */
  readonly fresh = new Set<string>();

  constructor(
    private readonly library: VideoLibrary,
    private readonly makeUpload: (file: File) => VideoUpload,
    /** Tells the server to forget a video that no part shows, and to stop preparing it. */
    private readonly removeVideo: (id: string) => Promise<void>,
  ) {}

  /** Calls `listener` after every change; returns what stops it. */
  readonly subscribe = this.listeners.add;

  /** Gives what is on its way to a part. */
  of(partId: string): { readonly name: string; readonly upload: VideoUpload } | null {
    return this.links.get(partId) ?? null;
  }

  /** What is on its way and only here: the server does not know it as a video yet. */
  *unsent(): IterableIterator<readonly [part: string, link: Pick<Link, 'upload' | 'file' | 'instead'>]> {
    for (const [part, link] of this.links) if (link.linked === null) yield [part, link];
  }

  /** Whether something would be lost by leaving the page. */
  get isSending(): boolean {
    return [...this.links.values()].some(({ upload }) => upload.state === 'waiting' || upload.state === 'uploading');
  }

  /** Uploads a video; the part has it as soon as the server knows it. */
  start(partId: string, file: File): void {
    this.cancel(partId);
    const upload = this.makeUpload(file);
    const stop = upload.subscribe(() => this.uploadChanged(partId));
    const instead = this.library.get('part', partId)?.video ?? null;
    this.links.set(partId, { name: file.name, file, upload, instead, stop, linked: null, before: {} });
    upload.start();
    this.changed();
  }

  /** Gives one up; the part keeps the video that it had before the upload, if any. */
  cancel(partId: string): void {
    const link = this.links.get(partId);
    if (!link) return;
    this.forget(partId);
    // First the part: the server keeps what a part uses.
    this.takeBack(partId, link);
    link.upload.cancel().catch(() => {
      // The server sweeps away what an unfinished upload left when it can't be told so now.
    });
    this.changed();
  }

  /** Gives a part a video of the library instead of what is on its way. */
  choose(partId: string, videoId: string): void {
    // What is on its way may itself be in the list already.
    if (this.links.get(partId)?.linked !== videoId) this.cancel(partId);
    linkVideo(this.library, partId, videoId);
  }

  /** Takes from a part its video and what is on its way. */
  unlink(partId: string): void {
    this.cancel(partId);
    const part = this.library.get('part', partId);
    if (part?.video) unlinkVideo(this.library, part);
  }

  /** Gives up a part's video that the server still prepares, whoever sent it; other parts keep it. */
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
      // It stays in the media library as one that nothing uses.
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
    // Once it is a record, that says how it stands: ready, or failed and why.
    if (state === 'done' || (state === 'failed' && link.linked !== null)) this.forget(partId);
    // With an earlier video in its place nothing shows that record.
    if (state === 'failed' && link.upload.isUnusable && this.hasBefore(link)) {
      this.takeBack(partId, link);
      toasts.say(`“${link.name}” can’t be used. ${link.upload.problem ?? ''}`.trim(), { kind: 'problem' });
    }
    this.changed();
  }

  private hasBefore({ before }: Link): boolean {
    return !!before.video && this.library.get('video', before.video) !== undefined;
  }

  /** Where a part still shows what it was linked to, it has again what it had before. */
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
