import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Replacements, type ReplacementLibrary } from '../../src/uploads/replacements';
import type { Part, Track } from '../../src/sync/records';
import { FakeUpload } from './fakeUpload';

function studio(playing?: string): { replacements: Replacements; uploads: FakeUpload[]; edits: unknown[]; said: string[] } {
  const track: Track = { type: 'track', id: 't9', createdAt: 1, state: 'ready', lengthFrames: 500 };
  const part: Part = { type: 'part', id: 'p1', createdAt: 1, routine: 'r', title: 'Verse', position: 'V', track: playing };
  const uploads: FakeUpload[] = [];
  const edits: unknown[] = [];
  const said: string[] = [];
  const replacements = new Replacements(
    {
      get: ((_type, id) => [track, part].find((record) => record.id === id)) as ReplacementLibrary['get'],
      edit: (...edit) => edits.push(edit),
    },
    () => {
      const upload = new FakeUpload();
      uploads.push(upload);
      return upload;
    },
    (sentence) => said.push(sentence),
  );
  return { replacements, uploads, edits, said };
}

test('a part plays its new audio whole once that is usable, and not before', () => {
  const { replacements, uploads, edits } = studio();
  replacements.start('p1', new Blob(['x']));
  assert.equal(replacements.of('p1'), uploads[0]);
  uploads[0]?.become('importing');
  assert.deepEqual(edits, []);
  uploads[0]?.become('done', 't9');
  assert.deepEqual(edits, [['part', 'p1', {
    track: 't9', startFrame: 0, endFrame: 500, markerA: null, markerB: null, loopMode: 'off', videoOffset: null,
  }]]);
  assert.equal(replacements.of('p1'), null);
});

test('the file that the part plays already mends it and moves no border', () => {
  const { replacements, uploads, edits } = studio('t9');
  replacements.start('p1', new Blob(['x']));
  uploads[0]?.become('done', 't9');
  assert.deepEqual(edits, []);
  assert.equal(replacements.of('p1'), null);
});

test('a second choice gives the first one up', () => {
  const { replacements, uploads, edits } = studio();
  replacements.start('p1', new Blob(['x']));
  replacements.start('p1', new Blob(['y']));
  assert.equal(uploads[0]?.state, 'cancelled');
  uploads[0]?.become('done', 't9');
  assert.deepEqual(edits, []);
  assert.equal(replacements.of('p1'), uploads[1]);
});

test('a failed replacement stays to be tried again, and given up it leaves the part as it is', () => {
  const { replacements, uploads, edits } = studio();
  replacements.start('p1', new Blob(['x']));
  uploads[0]?.become('failed');
  assert.equal(replacements.of('p1'), uploads[0]);
  replacements.cancel('p1');
  assert.equal(replacements.of('p1'), null);
  assert.deepEqual(edits, []);
});

test('a replacement that fails says so, and whether it is tried again', () => {
  const { replacements, uploads, said } = studio();
  replacements.start('p1', new Blob(['x']));
  const upload = Object.assign(uploads[0]!, { problem: 'The disk is full.' });
  upload.become('failed');
  upload.retry();
  Object.assign(upload, { problem: 'This is not audio.', isUnusable: true }).become('failed');
  assert.deepEqual(said, [
    'The audio of “Verse” was not replaced. The disk is full. The next start tries again.',
    'The audio of “Verse” was not replaced. This is not audio.',
  ]);
});
