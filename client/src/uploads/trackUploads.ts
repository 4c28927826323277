// Songs uploaded from the clipper's list. They continue while another page is shown.

import { Listeners } from '../sync/listeners';
import type { SongFile, SongUpload } from './draft';
import { leaving } from '../ui/device';
import { toasts } from '../ui/toasts';

/** A song being uploaded. */
export interface TrackUpload {
  readonly key: string;
  readonly name: string;
  readonly file: SongFile;
  readonly upload: SongUpload & { readonly alreadyKnown: boolean };
}

/** The songs being uploaded, the newest last; a finished one is a track, and no longer here. */
export class TrackUploads {
  /** Keeps its identity between changes. */
  rows: readonly TrackUpload[] = [];
  private nextKey = 1;
  private readonly listeners = new Listeners();
  private readonly stops = new Map<string, () => void>();

  constructor(private readonly makeUpload: (file: SongFile) => TrackUpload['upload']) {
    window.addEventListener('beforeunload', (event) => {
      if (!leaving.isSafe && this.rows.some(({ upload }) => upload.state !== 'failed')) event.preventDefault();
    });
  }

  /** Calls `listener` after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Starts to upload files. */
  add = (files: readonly SongFile[]): void => {
    for (const file of files) {
      const key = `track-${this.nextKey}`;
      this.nextKey += 1;
      const row = { key, name: file.name ?? 'Song', file, upload: this.makeUpload(file) };
      this.rows = [...this.rows, row];
      this.stops.set(key, row.upload.subscribe(() => this.uploadChanged(row)));
      row.upload.start();
    }
    this.changed();
  };

  /** Removes a row; its upload is deleted from the server, too. */
  remove(key: string): void {
    const row = this.rows.find((each) => each.key === key);
    if (!row) return;
    this.forget(key);
    row.upload.cancel().catch(() => {
      // If the request fails, the server removes the unfinished upload later.
    });
    this.changed();
  }

  private uploadChanged(row: TrackUpload): void {
    if (row.upload.state === 'done') {
      this.forget(row.key);
      if (row.upload.alreadyKnown) toasts.say(`“${row.name}” is in the library already.`);
    }
    this.changed();
  }

  private forget(key: string): void {
    this.stops.get(key)?.();
    this.stops.delete(key);
    this.rows = this.rows.filter((row) => row.key !== key);
  }

  private changed(): void {
    this.rows = [...this.rows];
    this.listeners.tell();
  }
}
