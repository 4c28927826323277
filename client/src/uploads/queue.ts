// The files on their way to the server. Each has a purpose, which decides what happens once the file
// has arrived. They continue while another page of the app is shown.

import { Listeners } from '../sync/listeners';
import type { PartKind, Purpose } from './purpose';
import type { NamedBlob } from './transfer';
import type { UploadState } from './upload';

/** The parts of an upload that the queue and its users need. */
export interface FileUpload {
  readonly state: UploadState;
  readonly progress: number;
  readonly problem: string | null;
  /** Whether the file itself caused the failure: a retry would fail again. */
  readonly isUnusable: boolean;
  readonly trackId: string | null;
  /** Whether the library already had this file. */
  readonly alreadyKnown: boolean;
  /** Set by the queue: what the file is for at this moment, which says whose it becomes. */
  purpose?: () => Purpose;
  start(): void;
  cancel(): Promise<void>;
  retry(): void;
  subscribe(listener: () => void): () => void;
}

export type { PartKind, Purpose } from './purpose';

/** A file in the queue. */
export interface QueuedFile {
  /** Unique in this page. */
  readonly key: number;
  readonly file: NamedBlob;
  readonly upload: FileUpload;
  /** Set anew when a song in the making is renamed, moved, or gets its routine. */
  purpose: Purpose;
  /** Whether a closed page would lose nothing: a record refers to the file already. */
  isSent: boolean;
}

/** What happens with one file. */
export interface Handling {
  /** Called after each change of the upload. Forgets the file once it has served its purpose. */
  changed(): void;
  /** Called when the file is cancelled, before the server deletes it. */
  cancelled?(): void;
}

/** All files on their way, in the order of their start. */
export class UploadQueue {
  private readonly files = new Map<QueuedFile, Handling & { readonly stop: () => void }>();
  /** Count the changes of files of each kind, for `useSyncExternalStore`. */
  readonly versions: { [kind in Purpose['kind']]?: number } = {};
  private readonly listeners = new Listeners();
  private lastKey = 0;

  constructor(private readonly uploadSong: (file: NamedBlob) => FileUpload) {}

  /** Calls `listener` after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Returns the files of a kind. */
  all(kind: Purpose['kind']): QueuedFile[] {
    return [...this.files.keys()].filter(({ purpose }) => purpose.kind === kind);
  }

  /** Returns a part's file. */
  of(kind: PartKind, part: string): QueuedFile | null {
    return this.all(kind).find(({ purpose }) => 'part' in purpose && purpose.part === part) ?? null;
  }

  /** Returns a move's recorded name. */
  ofMove(move: string): QueuedFile | null {
    return this.all('recording').find(({ purpose }) => 'move' in purpose && purpose.move === move) ?? null;
  }

  /**
   * The files that a closed page would lose. One that failed because the server is full, for
   * example, is one of them; an unusable one is not.
   */
  get unsent(): QueuedFile[] {
    return [...this.files.keys()].filter(({ isSent, upload }) => !isSent && !upload.isUnusable && upload.state !== 'done');
  }

  /** Whether leaving the page would interrupt an upload. */
  get isSending(): boolean {
    return this.unsent.some(({ upload }) => upload.state !== 'failed');
  }

  /** Uploads a file, by default as a song; `handle` tells what happens with it. */
  add(
    file: NamedBlob, purpose: Purpose, handle: (queued: QueuedFile) => Handling, upload = this.uploadSong(file),
  ): QueuedFile {
    const queued: QueuedFile = { key: this.lastKey += 1, file, upload, purpose, isSent: false };
    upload.purpose = () => queued.purpose;
    const handling = handle(queued);
    const stop = upload.subscribe(() => {
      handling.changed();
      this.changed(queued);
    });
    this.files.set(queued, { ...handling, stop });
    upload.start();
    this.changed(queued);
    return queued;
  }

  /** Cancels a file; its upload is deleted from the server, too. */
  cancel(queued: QueuedFile | null): void {
    if (!queued) return;
    const handling = this.files.get(queued);
    this.forget(queued);
    handling?.cancelled?.();
    queued.upload.cancel().catch(() => {
      // If the request fails, the server removes the unfinished upload later.
    });
    this.changed(queued);
  }

  /** Removes a file from the queue, and leaves what it brought to the server. */
  forget(queued: QueuedFile): void {
    this.files.get(queued)?.stop();
    this.files.delete(queued);
  }

  private changed({ purpose: { kind } }: QueuedFile): void {
    this.versions[kind] = (this.versions[kind] ?? 0) + 1;
    this.listeners.tell();
  }
}
