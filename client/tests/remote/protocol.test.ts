import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  longestText, positionAfter, readMessage, readPlayers, readRemoteEvent, shortened, type RemoteMessage,
} from '../../src/remote/protocol';
import { standing } from './support';

const overTheWire = (message: RemoteMessage): unknown => JSON.parse(JSON.stringify(message));

test('every message is decoded as it was encoded', () => {
  const messages: RemoteMessage[] = [
    { kind: 'ask' }, { kind: 'leave' }, { kind: 'closed' },
    { kind: 'watch', number: 3, name: 'Phone' },
    { kind: 'do', sequence: 1, action: { verb: 'play' } },
    { kind: 'do', sequence: 2, action: { verb: 'seek', subject: 'p', frame: 48_000 } },
    {
      kind: 'do', sequence: 3,
      action: { verb: 'loop', subject: 'p', loopMode: 'section', markerA: 0, markerB: 4_800 },
    },
    { kind: 'do', sequence: 4, action: { verb: 'speed', subject: 'p', percent: 80 } },
    { kind: 'do', sequence: 5, action: { verb: 'part', part: 'p3' } },
    { kind: 'do', sequence: 6, action: { verb: 'step', subject: 'p', direction: -1 } },
    { kind: 'do', sequence: 7, action: { verb: 'miss', subject: 'p', frame: 96_000 } },
    { kind: 'state', number: 7, echo: 3, done: 5, state: standing },
    { kind: 'state', number: 8, echo: 3, done: 5, state: { ...standing, state: 'countdown', countInNumber: 5 } },
    { kind: 'state', number: 9, echo: 3, done: 5, state: { ...standing, seeksEights: true } },
    { kind: 'state', number: 10, echo: 3, done: 5, state: { ...standing, takesMisses: true } },
  ];
  for (const message of messages) assert.deepEqual(readMessage(overTheWire(message)), message);
});

test('invalid messages are refused', () => {
  const wrong: unknown[] = [
    null, 7, 'play', [], {}, { kind: 'explode' },
    { kind: 'watch', number: 'one', name: 'Phone' },
    { kind: 'watch', number: 1, name: 'x'.repeat(10_000) },
    { kind: 'do', sequence: -1, action: { verb: 'play' } },
    { kind: 'do', sequence: 1, action: { verb: 'toggle' } },
    { kind: 'do', sequence: 1, action: { verb: 'seek', subject: 'p', frame: null } },
    { kind: 'do', sequence: 1, action: { verb: 'seek', subject: 'p', frame: 1e300 } },
    { kind: 'do', sequence: 1, action: { verb: 'speed', subject: 'p', percent: Number.NaN } },
    { kind: 'do', sequence: 1, action: { verb: 'step', subject: 'p', direction: 0.5 } },
    { kind: 'do', sequence: 1, action: { verb: 'loop', subject: 'p', loopMode: 'forever', markerA: 0, markerB: 1 } },
    { kind: 'state', number: 1, echo: 0, done: 0, state: { ...standing, frame: '48000' } },
    { kind: 'state', number: 1, echo: 0, done: 0, state: { ...standing, title: 5 } },
    { kind: 'state', number: 1, echo: 0, done: 0, state: { ...standing, countInNumber: '5' } },
    { kind: 'state', number: 1, echo: 0, done: 0, state: { ...standing, seeksEights: 1 } },
    { kind: 'state', number: 1, echo: 0, done: 0, state: { ...standing, takesMisses: 'yes' } },
    { kind: 'do', sequence: 1, action: { verb: 'miss', subject: 'p', frame: -1 } },
    { kind: 'state', number: 1, echo: 0, done: 0 },
  ];
  for (const value of wrong) assert.equal(readMessage(value), null, JSON.stringify(value));
});

test('an event is decoded to sender and receiver, or refused', () => {
  assert.deepEqual(
    readRemoteEvent({ from: 'a', to: 'b', command: { kind: 'ask' } }),
    { from: 'a', to: 'b', message: { kind: 'ask' } });
  assert.equal(readRemoteEvent({ from: 'a', to: 'b', command: { kind: 'sing' } }), null);
  assert.equal(readRemoteEvent({ to: 'b', command: { kind: 'ask' } }), null);
  assert.equal(readRemoteEvent(null), null);
});

test('the list of players omits the own page and invalid entries', () => {
  const told = {
    clients: [
      { id: 'own', name: 'Laptop' },
      { id: 'phone', name: 'iPhone, Safari', device: { id: 'd', name: 'Studio phone' } },
      { id: 'other', name: 'Linux computer' },
      { id: 'unnamed' }, { name: 'No id' }, 7,
    ],
  };
  assert.deepEqual(readPlayers(told, 'own'), [
    { id: 'phone', name: 'Studio phone' },
    { id: 'other', name: 'Linux computer' },
    { id: 'unnamed', name: 'A device' },
  ]);
  assert.deepEqual(readPlayers({ clients: 'none' }, 'own'), []);
});

test('the position of a playing player advances with time up to its end', () => {
  const playing = { ...standing, state: 'playing' as const, wantsToPlay: true };
  assert.equal(positionAfter(playing, 1_000), 96_000);
  assert.equal(positionAfter({ ...playing, percent: 50 }, 1_000), 72_000);
  assert.equal(positionAfter(playing, 3_600_000), playing.endFrame);
  assert.equal(positionAfter({ ...playing, loopMode: 'section', markerA: 0, markerB: 60_000 }, 9_000), 60_000);
  assert.equal(positionAfter(standing, 1_000), standing.frame);
  assert.equal(positionAfter({ ...playing, state: 'countdown' }, 1_000), standing.frame);
});

test('the fullest state fits into the 2 kB that the server takes', () => {
  const title = shortened('👩‍👩‍👧‍👦'.repeat(100));
  assert(title.length <= longestText);
  assert.notEqual(encodeURIComponent(title), '', 'no half of a character is left');
  const id = '019f0000-0000-7000-8000-000000000000';
  const command = {
    kind: 'state', number: 999_999, echo: 999_999, done: 999_999,
    state: {
      ...standing, subject: `run ${id}`, routine: id, part: id, previous: id, next: id,
      routineTitle: title, title, problem: shortened('ü'.repeat(500)), frame: 2_073_600_000,
      startFrame: 2_073_600_000, endFrame: 2_073_600_000, markerA: 2_073_600_000,
      markerB: 2_073_600_000, countdownFramesLeft: 2_880_000, countInNumber: 8,
    },
  };
  assert.notEqual(readMessage(command), null);
  const bytes = new TextEncoder().encode(JSON.stringify({ from: id, to: id, command })).length;
  assert(bytes <= 2_048, `${bytes} bytes`);
});
