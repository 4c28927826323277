// Recorded names: which one a move gets, and when.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NameRecordings, recordingFile, type RecordingLibrary } from '../../src/moves/nameRecordings';
import { Listeners } from '../../src/sync/listeners';
import type { Move, Recording } from '../../src/sync/records';
import { UploadQueue } from '../../src/uploads/queue';
import { FakeUpload } from '../uploads/fakeUpload';

const file = new File(['kick'], 'Kick.webm');

/** A library with one move, "m", and the recordings of other devices. */
function studio() {
  const listeners = new Listeners();
  const uploads: FakeUpload[] = [];
  const state = {
    move: { type: 'move', id: 'm', createdAt: 1, part: 'p', title: 'Kick', position: 'a' } as Move | undefined,
    recordings: new Map<string, Recording>(),
    edits: [] as unknown[],
  };
  const library = {
    get: (type: string, id: string) => (type === 'move' ? (id === state.move?.id ? state.move : undefined) : state.recordings.get(id)),
    edit: (_type: string, _id: string, fields: object) => {
      state.edits.push(fields);
      if (state.move) state.move = { ...state.move, ...fields };
      listeners.tell();
    },
    subscribe: listeners.add,
  } as unknown as RecordingLibrary;
  const makeUpload = (): FakeUpload => {
    const upload = new FakeUpload();
    uploads.push(upload);
    return upload;
  };
  const queue = new UploadQueue(makeUpload);
  const change = (move: Move | undefined): void => {
    state.move = move;
    listeners.tell();
  };
  const record = (id: string, createdAt: number): void => {
    state.recordings.set(id, { type: 'recording', id, createdAt, state: 'ready' });
  };
  return { state, queue, uploads, change, record, recordings: new NameRecordings(library, queue, makeUpload) };
}

test('a move gets its name when the server has prepared it, and the file is forgotten', () => {
  const { state, queue, uploads, recordings } = studio();
  recordings.start('m', file, 10);
  assert.equal(queue.ofMove('m')?.file, file);
  uploads[0]?.become('importing', 'r');
  assert.equal(state.move?.recording, undefined);
  uploads[0]?.become('done', 'r');
  assert.equal(state.move?.recording, 'r');
  assert.equal(queue.ofMove('m'), null);
  assert.deepEqual(state.edits, [{ recording: 'r' }]);
});

test('a second recording takes the place of one that has not arrived', () => {
  const { state, queue, uploads, recordings } = studio();
  recordings.start('m', file, 10);
  recordings.start('m', file, 20);
  assert.equal(uploads[0]?.state, 'cancelled');
  assert.equal(queue.all('recording').length, 1);
  uploads[1]?.become('done', 'second');
  assert.equal(state.move?.recording, 'second');
});

test('of two devices the one that recorded later wins, whichever arrives first', () => {
  for (const [at, expected] of [[100, 'theirs'], [300, 'ours']] as const) {
    const { state, queue, uploads, change, record, recordings } = studio();
    recordings.start('m', file, at);
    record('theirs', 200);
    change(state.move && { ...state.move, recording: 'theirs' });
    uploads[0]?.become('done', 'ours');
    assert.equal(state.move?.recording, expected);
    assert.equal(queue.ofMove('m'), null);
  }
});

test('a name that the server refuses stays with its reason, and the move keeps its earlier one', () => {
  const { state, queue, uploads, change, recordings } = studio();
  change(state.move && { ...state.move, recording: 'earlier' });
  recordings.start('m', file, 10);
  const upload = uploads[0];
  if (upload) Object.assign(upload, { isUnusable: true, problem: 'Nothing was heard.' });
  upload?.become('failed');
  assert.equal(queue.ofMove('m')?.upload.problem, 'Nothing was heard.');
  assert.deepEqual(queue.unsent, [], 'a closed page would lose nothing of use');
  recordings.cancel('m');
  assert.equal(queue.ofMove('m'), null);
  assert.equal(state.move?.recording, 'earlier');
});

test('a move that is deleted meanwhile gets its name if it comes back', () => {
  const { state, queue, uploads, change, recordings } = studio();
  const { move } = state;
  recordings.start('m', file, 10);
  change(undefined);
  uploads[0]?.become('done', 'r');
  assert.deepEqual(state.edits, []);
  assert.deepEqual(queue.unsent, []);
  change(move);
  assert.equal(state.move?.recording, 'r');
  assert.equal(queue.ofMove('m'), null);
  change(state.move && { ...state.move, recording: null });
  assert.equal(state.move?.recording, null, 'it is given once');
});

test('a recorded name is taken off with what is on its way, and comes back by an undo', () => {
  const { state, queue, change, recordings } = studio();
  change(state.move && { ...state.move, recording: 'r' });
  recordings.start('m', file, 10);
  const undo = state.move && recordings.takeOff(state.move);
  assert.equal(state.move?.recording, null);
  assert.equal(queue.ofMove('m'), null);
  undo?.();
  assert.equal(state.move?.recording, 'r');
});

test('the file is named after the move and its format', () => {
  const name = (type: string): string => recordingFile(new Blob([], { type }), 'Kick').name;
  assert.equal(name('audio/webm;codecs=opus'), 'Kick.webm');
  assert.equal(name('audio/mp4'), 'Kick.m4a');
  assert.equal(name('audio/ogg;codecs=opus'), 'Kick.ogg');
});
