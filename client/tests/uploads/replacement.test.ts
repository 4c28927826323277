import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UploadQueue } from '../../src/uploads/queue';
import { replaceAudio, type ReplacementLibrary } from '../../src/uploads/replacement';
import { toasts } from '../../src/ui/toasts';
import type { NamedBlob } from '../../src/uploads/transfer';
import type { Part, Spot, Track } from '../../src/sync/records';
import { FakeUpload } from './fakeUpload';

function studio(playing?: string): {
  queue: UploadQueue; uploads: FakeUpload[]; edits: unknown[]; start: (file: NamedBlob) => unknown;
} {
  const track: Track = { type: 'track', id: 't9', createdAt: 1, state: 'ready', lengthFrames: 500 };
  const part: Part = { type: 'part', id: 'p1', createdAt: 1, routine: 'r', title: 'Verse', position: 'V', track: playing };
  const spots = ['p1', 'p2'].map((of): Spot => ({
    type: 'spot', id: `s of ${of}`, createdAt: 1, part: of, startFrame: 1, endFrame: 9,
  }));
  const uploads: FakeUpload[] = [];
  const edits: unknown[] = [];
  const library = {
    get: ((_type, id) => [track, part].find((record) => record.id === id)) as ReplacementLibrary['get'],
    spots: (id: string) => spots.filter((spot) => spot.part === id),
    edit: (...edit: unknown[]) => edits.push(edit),
    remove: (...removal: unknown[]) => edits.push(['remove', ...removal]),
    transact: (all: () => void) => all(),
  };
  const queue = new UploadQueue(() => {
    const upload = new FakeUpload();
    uploads.push(upload);
    return upload;
  });
  const start = (file: NamedBlob): unknown => replaceAudio({ library, uploads: queue }, 'p1', file);
  return { queue, uploads, edits, start };
}

function dismissToasts(): void {
  for (const toast of toasts.kept) toasts.dismiss(toast.id);
}

test('a part plays its new audio whole once that is usable, and not before', () => {
  const { queue, uploads, edits, start } = studio();
  start(new Blob(['x']));
  assert.equal(queue.of('replacement', 'p1')?.upload, uploads[0]);
  uploads[0]?.become('importing');
  assert.deepEqual(edits, []);
  uploads[0]?.become('done', 't9');
  assert.deepEqual(edits, [['part', 'p1', {
    track: 't9', startFrame: 0, endFrame: 500, markerA: null, markerB: null, loopMode: 'off', videoOffset: null,
  }], ['remove', 'spot', 's of p1']]);
  assert.equal(queue.of('replacement', 'p1'), null);
});

test('the file that the part plays already mends it and moves no border', () => {
  const { queue, uploads, edits, start } = studio('t9');
  start(new Blob(['x']));
  uploads[0]?.become('done', 't9');
  assert.deepEqual(edits, []);
  assert.equal(queue.of('replacement', 'p1'), null);
});

test('a second choice gives the first one up', () => {
  const { queue, uploads, edits, start } = studio();
  start(new Blob(['x']));
  start(new Blob(['y']));
  assert.equal(uploads[0]?.state, 'cancelled');
  uploads[0]?.become('done', 't9');
  assert.deepEqual(edits, []);
  assert.equal(queue.of('replacement', 'p1')?.upload, uploads[1]);
});

test('a failed replacement stays to be tried again, and given up it leaves the part as it is', () => {
  const { queue, uploads, edits, start } = studio();
  start(new Blob(['x']));
  uploads[0]?.become('failed');
  assert.equal(queue.of('replacement', 'p1')?.upload, uploads[0]);
  queue.cancel(queue.of('replacement', 'p1'));
  assert.equal(queue.of('replacement', 'p1'), null);
  assert.deepEqual(edits, []);
  dismissToasts();
});

test('a replacement that fails says so, and whether it is tried again', () => {
  const { uploads, start } = studio();
  start(new Blob(['x']));
  const upload = Object.assign(uploads[0]!, { problem: 'The disk is full.' });
  upload.become('failed');
  upload.retry();
  Object.assign(upload, { problem: 'This is not audio.', isUnusable: true }).become('failed');
  assert.deepEqual(toasts.kept.map(({ text, kind }) => [text, kind]), [
    ['The audio of “Verse” was not replaced. The disk is full. Segmance tries again when you next open it.', 'problem'],
    ['The audio of “Verse” was not replaced. This is not audio.', 'problem'],
  ]);
  dismissToasts();
});
