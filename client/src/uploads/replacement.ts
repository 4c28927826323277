// Songs that replace a part's audio.

import type { EditOf, Part, Spot, Track } from '../sync/records';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import type { QueuedFile, UploadQueue } from './queue';
import type { NamedBlob } from './transfer';

/** The parts of the library that a replacement uses. */
export interface ReplacementLibrary {
  get(type: 'track', id: string): Track | undefined;
  get(type: 'part', id: string): Part | undefined;
  spots(partId: string): readonly Spot[];
  edit(type: 'part', id: string, fields: EditOf<'part'>): void;
  remove(type: 'spot', id: string): unknown;
  transact(edits: () => void): void;
}

/**
 * Uploads a song for a part; once it is usable, the part plays all of it. Its moves stay. A failed
 * one stays in the queue, to be tried again or cancelled.
 */
export function replaceAudio(
  { library, uploads }: { readonly library: ReplacementLibrary; readonly uploads: UploadQueue }, partId: string, file: NamedBlob,
): QueuedFile {
  uploads.cancel(uploads.of('replacement', partId));
  const instead = library.get('part', partId)?.track ?? null;
  return uploads.add(file, { kind: 'replacement', part: partId, instead }, (queued) => ({
    changed: () => {
      const { state, trackId, problem, isUnusable } = queued.upload;
      const track = trackId === null ? undefined : library.get('track', trackId);
      const part = library.get('part', partId);
      if (state === 'done' && track?.lengthFrames) {
        uploads.forget(queued);
        // The same file that the part plays, uploaded to repair a damaged copy on the server: nothing
        // is replaced.
        if (track.id === part?.track) return;
        // Markers, spots and the video's offset refer to frames of the old audio.
        library.transact(() => {
          library.edit('part', partId, {
            track: track.id, startFrame: 0, endFrame: track.lengthFrames, markerA: null, markerB: null,
            loopMode: 'off', videoOffset: null,
          });
          for (const { id } of library.spots(partId)) library.remove('spot', id);
        });
      } else if (state === 'failed' && part) {
        // Its sheet may be closed.
        const sentence = lateWords.uploads.notReplaced(part.title, problem ?? '');
        toasts.say(isUnusable ? sentence : `${sentence} ${lateWords.uploads.triesAgain}`, { kind: 'problem' });
      }
    },
  }));
}
