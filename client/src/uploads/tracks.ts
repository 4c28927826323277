// Songs that are uploaded for the library alone, from the clipper's list.

import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import type { QueuedFile, UploadQueue } from './queue';
import type { NamedBlob } from './transfer';

/** Uploads a song; once finished it is a track, and no longer in the queue. */
export function addTrack(uploads: UploadQueue, file: NamedBlob): QueuedFile {
  return uploads.add(file, { kind: 'track' }, (queued) => ({
    changed: () => {
      if (queued.upload.state !== 'done') return;
      uploads.forget(queued);
      if (queued.upload.alreadyKnown) toasts.say(lateWords.uploads.inLibrary(file.name ?? lateWords.uploads.song));
    },
  }));
}
