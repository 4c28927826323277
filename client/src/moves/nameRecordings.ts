// Recorded names on their way to the server, and what happens with them when they have arrived.

import type { LocalLibrary } from '../sync/library';
import type { Move } from '../sync/records';
import type { Services } from '../services/services';
import type { FileUpload, Handling, QueuedFile, UploadQueue } from '../uploads/queue';
import type { NamedBlob } from '../uploads/transfer';
import { Upload } from '../uploads/upload';

/** The parts of the library that recorded names need. */
export type RecordingLibrary = Pick<LocalLibrary, 'get' | 'edit' | 'subscribe'>;

/** Gives moves their recorded names. */
export class NameRecordings {
  constructor(
    private readonly library: RecordingLibrary,
    private readonly uploads: UploadQueue,
    private readonly makeUpload: (file: NamedBlob) => FileUpload,
  ) {}

  /** Uploads the name of a move that was recorded at a time, in Unix milliseconds, instead of an earlier one. */
  start(moveId: string, file: NamedBlob, at = Date.now()): QueuedFile {
    this.cancel(moveId);
    return this.uploads.add(
      file, { kind: 'recording', move: moveId, at }, (queued) => this.handle(queued, moveId, at), this.makeUpload(file));
  }

  /** Forgets a name that has not arrived; the move keeps the one that it had. */
  cancel(moveId: string): void {
    this.uploads.cancel(this.uploads.ofMove(moveId));
  }

  /** Takes the recorded name off a move, and a later one on its way. Returns a function that undoes the first. */
  takeOff(move: Move): () => void {
    this.cancel(move.id);
    const { recording = null } = move;
    this.library.edit('move', move.id, { recording: null });
    return () => this.library.edit('move', move.id, { recording });
  }

  private handle(queued: QueuedFile, moveId: string, at: number): Handling {
    const { library, uploads } = this;
    let stop: (() => void) | null = null;
    const place = (recording: string): void => {
      const move = library.get('move', moveId);
      // Deleted meanwhile: an undo brings it back, and it gets its name then.
      if (!move) {
        stop ??= library.subscribe(() => library.get('move', moveId) && place(recording));
        return;
      }
      stop?.();
      // The later of two that two devices recorded counts, even if it arrives first.
      const other = move.recording && move.recording !== recording ? library.get('recording', move.recording) : undefined;
      if (!other || other.createdAt <= at) library.edit('move', moveId, { recording });
      uploads.forget(queued);
    };
    return {
      changed: () => {
        const { state, trackId } = queued.upload;
        if (state !== 'done' || trackId === null || queued.isSent) return;
        queued.isSent = true;
        place(trackId);
      },
      cancelled: () => stop?.(),
    };
  }
}

let made: NameRecordings | null = null;

/** Returns the one instance; it outlives the sheet. */
export function nameRecordings({ library, uploads }: Pick<Services, 'library' | 'uploads'>): NameRecordings {
  made ??= new NameRecordings(library, uploads, (file) => new Upload(file, { library, kind: 'recording' }));
  return made;
}

/** Names the file of a recording after its move. */
export function recordingFile(sound: Blob, title: string): File {
  const ending = sound.type.includes('mp4') ? 'm4a' : sound.type.includes('ogg') ? 'ogg' : 'webm';
  return new File([sound], `${title}.${ending}`, { type: sound.type });
}
