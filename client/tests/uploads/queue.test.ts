// The queue of files on their way, whatever their purpose.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UploadQueue, type QueuedFile } from '../../src/uploads/queue';
import { addTrack } from '../../src/uploads/tracks';
import { toasts } from '../../src/ui/toasts';
import { FakeUpload } from './fakeUpload';

const song = new File(['song'], 'One.wav');

/** A queue, and files for a part that are sent as soon as the server knows them. */
class Studio {
  readonly uploads: FakeUpload[] = [];
  readonly calls: string[] = [];
  readonly queue = new UploadQueue(() => this.upload());

  start(kind: 'replacement' | 'video', upload = this.upload()): QueuedFile {
    return this.queue.add(song, { kind, part: 'p' }, (queued) => ({
      changed: () => {
        this.calls.push(`${kind} ${queued.upload.state}`);
        queued.isSent = queued.upload.trackId !== null;
      },
      cancelled: () => this.calls.push(`${kind} taken back`),
    }), upload);
  }

  upload(): FakeUpload {
    const upload = new FakeUpload();
    const cancel = upload.cancel.bind(upload);
    upload.cancel = () => {
      this.calls.push('upload cancelled');
      return cancel();
    };
    this.uploads.push(upload);
    return upload;
  }
}

test('a song for the library leaves the queue once it has arrived, and says if it was there already', () => {
  const { queue, uploads } = new Studio();
  addTrack(queue, song);
  addTrack(queue, new File(['two'], 'Two.wav'));
  assert.deepEqual(queue.all('track').map(({ file }) => file.name), ['One.wav', 'Two.wav']);
  assert.equal(new Set(queue.all('track').map(({ key }) => key)).size, 2);
  uploads[0]?.become('done', 't1');
  assert.deepEqual(toasts.kept, []);
  Object.assign(uploads[1]!, { alreadyKnown: true }).become('done', 't2');
  assert.deepEqual(queue.all('track'), []);
  assert.deepEqual(toasts.kept.map(({ text }) => text), ['“Two.wav” is already in the library.']);
  for (const toast of toasts.kept) toasts.dismiss(toast.id);
});

test('a closed page would lose what is not sent, unless the file itself is unusable', () => {
  const studio = new Studio();
  const { queue, uploads } = studio;
  const kinds = (): unknown[] => queue.unsent.map(({ purpose }) => purpose.kind);
  addTrack(queue, song);
  studio.start('replacement');
  assert.deepEqual([kinds(), queue.isSending], [['track', 'replacement'], true]);
  uploads[1]?.become('importing', 't1');
  assert.deepEqual([kinds(), queue.isSending], [['track'], true]);
  uploads[0]?.become('failed');
  assert.deepEqual([kinds(), queue.isSending], [['track'], false]);
  Object.assign(uploads[0]!, { isUnusable: true }).become('failed');
  assert.deepEqual([kinds(), queue.all('track').length], [[], 1]);
});

test('a cancelled file is taken back before the server deletes it, and is heard of no more', () => {
  const studio = new Studio();
  const { queue, uploads, calls } = studio;
  studio.start('video');
  studio.start('replacement');
  queue.cancel(queue.of('video', 'p'));
  assert.deepEqual(calls, ['video uploading', 'replacement uploading', 'video taken back', 'upload cancelled']);
  uploads[0]?.become('done', 'v');
  assert.equal(calls.length, 4);
  assert.deepEqual([queue.of('video', 'p'), queue.of('replacement', 'p')?.upload], [null, uploads[1]]);
  assert.equal(queue.of('replacement', 'q'), null);
});

test('changes are counted for each kind', () => {
  const studio = new Studio();
  studio.start('video');
  addTrack(studio.queue, song);
  const before = { ...studio.queue.versions };
  studio.uploads[0]?.become('importing', 'v');
  assert.deepEqual(studio.queue.versions, { ...before, video: (before.video ?? 0) + 1 });
});
