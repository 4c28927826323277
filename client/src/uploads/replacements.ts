// Uploads that replace a part's audio. They continue after the sheet is closed.

import { Listeners } from '../sync/listeners';
import type { Part, Track } from '../sync/records';
import type { SongFile, SongUpload } from './draft';

/** The parts of the library that a replacement uses. */
export interface ReplacementLibrary {
  get(type: 'track', id: string): Track | undefined;
  get(type: 'part', id: string): Part | undefined;
  edit(type: 'part', id: string, fields: {
    track: string; startFrame: number; endFrame: number; markerA: null; markerB: null; loopMode: 'off';
    videoOffset: null;
  }): void;
}

interface Replacement {
  readonly upload: SongUpload;
  readonly file: SongFile;
  /** The track that the part had when the file was picked. */
  readonly instead: string | null;
  readonly stop: () => void;
}

/** Running and failed replacements, by part. */
export class Replacements {
  /** Counts changes, for `useSyncExternalStore`. */
  version = 0;
  private readonly uploads = new Map<string, Replacement>();
  private readonly listeners = new Listeners();

  constructor(
    private readonly library: ReplacementLibrary,
    private readonly makeUpload: (file: SongFile) => SongUpload,
    /** Reports an error: its sheet may be closed. */
    private readonly onProblem: (sentence: string) => void,
  ) {}

  /** Calls `listener` after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Every replacement, by part. */
  get all(): Iterable<readonly [part: string, replacement: Omit<Replacement, 'stop'>]> {
    return this.uploads;
  }

  /** Returns the upload that will replace a part's audio. */
  of(partId: string): SongUpload | null {
    return this.uploads.get(partId)?.upload ?? null;
  }

  /** Uploads a song; once it is usable, the part plays all of it. Its moves stay. */
  start(partId: string, file: SongFile): void {
    this.cancel(partId);
    const upload = this.makeUpload(file);
    const stop = upload.subscribe(() => this.uploadChanged(partId, upload));
    this.uploads.set(partId, { upload, file, instead: this.library.get('part', partId)?.track ?? null, stop });
    upload.start();
    this.changed();
  }

  /** Cancels a replacement; the part keeps its audio. */
  cancel(partId: string): void {
    const upload = this.of(partId);
    if (!upload) return;
    this.forget(partId);
    upload.cancel().catch(() => {
      // If the request fails, the server removes the unfinished upload later.
    });
    this.changed();
  }

  private uploadChanged(partId: string, upload: SongUpload): void {
    const track = upload.trackId === null ? undefined : this.library.get('track', upload.trackId);
    if (upload.state === 'done' && track?.lengthFrames) {
      this.forget(partId);
      // The same file that the part plays, uploaded to repair a damaged copy on the server: nothing
      // is replaced.
      if (track.id !== this.library.get('part', partId)?.track) {
        // Markers and the video's offset refer to frames of the old audio.
        this.library.edit('part', partId, {
          track: track.id, startFrame: 0, endFrame: track.lengthFrames, markerA: null, markerB: null,
          loopMode: 'off', videoOffset: null,
        });
      }
    }
    const part = this.library.get('part', partId);
    if (upload.state === 'failed' && part) {
      const sentence = `The audio of “${part.title}” was not replaced. ${upload.problem ?? ''}`.trim();
      this.onProblem(upload.isUnusable ? sentence : `${sentence} The next start tries again.`);
    }
    this.changed();
  }

  private forget(partId: string): void {
    this.uploads.get(partId)?.stop();
    this.uploads.delete(partId);
  }

  private changed(): void {
    this.version += 1;
    this.listeners.tell();
  }
}
