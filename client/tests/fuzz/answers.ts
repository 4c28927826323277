// What the server answers and tells, or something else in its place: a proxy, a guest network's login page.

import type { PlayerState } from '../../src/audio/types';
import {
  fetchDevices, fetchNetwork, fetchSession, makePairing, type QRDrawing,
} from '../../src/devices/api';
import {
  positionAfter, readPlayers, readRemoteEvent, shortened, type RemoteAction, type RemoteState,
} from '../../src/remote/protocol';
import type { Environment } from '../../src/sync/environment';
import { ServerEvents } from '../../src/sync/events';
import { asSyncAnswer } from '../../src/sync/exchange';
import { recordTypes } from '../../src/sync/records';
import { parsed, Refused, Unreached } from '../../src/sync/requests';
import { uploadedBytes } from '../../src/uploads/tus';
import { LocalView, type ListName } from '../../src/sync/view';
import type { Job } from '../../src/sync/wire';
import { FakeSource } from '../sync/support/world';
import { holds, lines, same, some, type Harness, type Input } from './harness';

const isText = (value: unknown): boolean => typeof value === 'string';
const isShort = (value: unknown): boolean => typeof value === 'string' && value.length <= 200;
const isFrame = (value: unknown): boolean => (
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 53
);
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const orNull = (check: (value: unknown) => boolean) => (value: unknown): boolean => value === null || check(value);
const isOneOf = (...all: readonly unknown[]) => (value: unknown): boolean => all.includes(value);
const isFlag = isOneOf(true, false);

const id = '0193a5b0-0000-7000-8000-000000000001';
const state: RemoteState = {
  subject: id, routine: id, routineTitle: 'Swan', part: id, title: 'Intro', index: 0, previous: null, next: id,
  startFrame: 0, endFrame: 480_000, state: 'playing', wantsToPlay: true, frame: 4_800, countdownFramesLeft: 0,
  percent: 75, canLoop: true, loopMode: 'section', markerA: 0, markerB: 96_000, seekSeconds: 5, needsTap: false,
  problem: null,
};
const playerStates: readonly PlayerState[] = [
  'empty', 'ready', 'loading', 'countdown', 'playing', 'resting', 'paused', 'ended', 'problem',
];
const isLoopMode = isOneOf('off', 'whole', 'section');
const isPercent = (value: unknown): boolean => typeof value === 'number' && value >= 1 && value <= 1_000;
const stateFields: { readonly [K in keyof RemoteState]: (value: unknown) => boolean } = {
  subject: isShort, routine: isShort, routineTitle: isShort, part: isShort, title: isShort, index: isFrame,
  previous: orNull(isShort), next: orNull(isShort), startFrame: isFrame, endFrame: isFrame,
  state: isOneOf(...playerStates), wantsToPlay: isFlag, frame: isFrame, countdownFramesLeft: isFrame,
  percent: isPercent, canLoop: isFlag,
  loopMode: isLoopMode, markerA: orNull(isFrame), markerB: orNull(isFrame), needsTap: isFlag, problem: orNull(isShort),
  seekSeconds: (value) => typeof value === 'number' && value > 0 && value <= 600,
};

function isAction(action: RemoteAction): boolean {
  switch (action.verb) {
    case 'play': case 'pause': return true;
    case 'part': return isShort(action.part);
    case 'seek': return isShort(action.subject) && isFrame(action.frame);
    case 'speed': return isShort(action.subject) && isPercent(action.percent);
    case 'loop':
      return isShort(action.subject) && isLoopMode(action.loopMode)
        && orNull(isFrame)(action.markerA) && orNull(isFrame)(action.markerB);
    default: return false;
  }
}

const remote: Harness<string> = {
  name: 'remote',
  promise: 'a message has the form of its kind, whoever sent it',
  isJSON: true,
  seeds: [
    { from: 'a', to: 'b', command: { kind: 'ask' } }, { from: 'a', to: null, command: { kind: 'closed' } },
    { from: 'a', to: 'b', command: { kind: 'watch', number: 3, name: 'Phone' } },
    { from: 'a', to: 'b', command: { kind: 'do', sequence: 1, action: { verb: 'play' } } },
    { from: 'a', to: 'b', command: { kind: 'do', sequence: 2, action: { verb: 'seek', subject: id, frame: 48_000 } } },
    { from: 'a', to: 'b', command: { kind: 'do', sequence: 3, action: { verb: 'speed', subject: id, percent: 75 } } },
    { from: 'a', to: 'b', command: { kind: 'do', sequence: 4, action: { verb: 'part', part: id } } },
    {
      from: 'a', to: 'b',
      command: {
        kind: 'do', sequence: 5, action: { verb: 'loop', subject: id, loopMode: 'whole', markerA: null, markerB: 9 },
      },
    },
    { from: 'a', to: 'b', command: { kind: 'state', number: 1, echo: 2, done: 3, state } },
    { clients: [{ id: 'a', name: 'Phone' }, { id: 'b', device: { id, name: 'Tablet' } }, { id: 'own' }] },
  ].map((value) => JSON.stringify(value)),
  words: ['"kind"', '"state"', '"watch"', '"off"', '"ended"', '"own"', `"${'x'.repeat(201)}"`, '600', '1001', '0.999'],
  shortRounds: 2_000,
  trial: (text) => {
    const value = parsed(text);
    const players = readPlayers(value, 'own');
    for (const player of players) {
      const isNamed = isText(player.name) && player.name !== '';
      holds(isText(player.id) && player.id !== 'own' && isNamed, 'a player without a name');
    }
    const event = readRemoteEvent(value);
    if (event === null) return players.length === 0 ? '' : `${some(players.length)} players`;
    const { from, to, message } = event;
    holds(isText(from) && orNull(isText)(to), 'nobody said it');
    const again = readRemoteEvent(parsed(JSON.stringify({ from, to, command: message })));
    same(again, event, 'sent on, it is another');
    switch (message.kind) {
      case 'watch':
        holds(isFrame(message.number) && isShort(message.name), 'watch');
        break;
      case 'do':
        holds(isFrame(message.sequence) && isAction(message.action), JSON.stringify(message));
        return `do ${message.action.verb}`;
      case 'state': {
        holds([message.number, message.echo, message.done].every(isFrame), 'numbers');
        for (const [name, fits] of Object.entries(stateFields)) {
          holds(fits(message.state[name as keyof RemoteState]), `${name} of ${JSON.stringify(message.state)}`);
        }
        for (const milliseconds of [-1, 0, 1_000, 1e12]) {
          const frame = positionAfter(message.state, milliseconds);
          holds(isFrame(frame) && frame >= message.state.frame, `then it plays ${frame}`);
        }
        const { title } = message.state;
        holds(shortened(title).length <= 120, 'a title is too long');
        return `state ${message.state.state} ${message.state.loopMode}`;
      }
      default:
        holds(['ask', 'leave', 'closed'].includes(message.kind), message.kind);
    }
    return message.kind;
  },
};

const job: Job = { id, kind: 'import', state: 'running', progress: 0.5, message: null, track: id, video: null };

const events: Harness<string> = {
  name: 'events',
  promise: 'an event that is none is passed over, and a job has its fields',
  isJSON: true,
  seeds: [
    `changed\n${JSON.stringify({ seq: 7 })}`, `job\n${JSON.stringify(job)}`, 'players\n{"clients":[]}',
    `job\n${JSON.stringify({ id, state: 'done' })}`, 'remote\n{"from":"a"}', 'changed\n',
  ],
  words: ['changed\n', 'job\n', 'remote\n', '"seq"', '"progress"', '"done"'],
  shortRounds: 2_000,
  trial: (text) => {
    const [type = '', data = ''] = lines(text, 2);
    const source = new FakeSource();
    const told: string[] = [];
    const environment = { eventSource: () => source, timer: () => () => undefined } as unknown as Environment;
    const line = new ServerEvents(environment, '/api/events', {
      changed: (seq) => {
        holds(seq === null || typeof seq === 'number', 'a number');
        told.push(`changed ${seq === null}`);
      },
      job: (heard) => {
        holds(isText(heard.id) && isText(heard.kind) && isText(heard.state), JSON.stringify(heard));
        holds(typeof heard.progress === 'number', JSON.stringify(heard));
        holds([heard.message, heard.track, heard.video].every(orNull(isText)), JSON.stringify(heard));
        same(Object.keys(heard), Object.keys(job), 'a job has other fields');
        told.push(`job ${heard.message === null} ${heard.track === null}`);
      },
      told: (name) => told.push(name),
      cut: () => told.push('cut'),
    });
    source.emit(type, { data });
    line.close();
    holds(told.length <= 1, told.join());
    // Only what is JSON says more than that something happened.
    if (parsed(data) === null) holds(['', 'changed true', 'remote', 'players'].includes(told.join()), told.join());
    return told.join();
  },
};

const wireRecords = [
  { type: 'routine', id: 'r', seq: 1, createdAt: 1, title: 'Swan' },
  { type: 'part', id: 'p', seq: 2, createdAt: 1, routine: 'r', title: 'Intro', position: 'V', track: 't', rate: 0.5 },
  { type: 'move', id: 'm', seq: 3, createdAt: 1, part: 'p', title: 'Turn', position: 'V' },
  { type: 'track', id: 't', seq: 4, createdAt: 1, deletedAt: 5, title: 'Song' },
  { type: 'clip', id: 'c', seq: 5, createdAt: 1, track: 't', startFrame: 0, endFrame: 9, position: 'V' },
  { type: 'setting', id: 's', seq: 6, createdAt: 1, value: 'x' }, { type: 'later', id: 'l', seq: 7, createdAt: 1 },
];
const lists: readonly ListName[] = ['parts', 'moves', 'clips', 'partsUsing', 'partsShowing'];

const sync: Harness<string> = {
  name: 'sync',
  promise: 'an answer is taken whole or as none of Segmance’s, and all that was taken can be shown',
  isJSON: true,
  seeds: [
    {
      seq: 7, records: wireRecords, rejected: [], more: false, clock: '1700000000000-0000-0000000a', library: 'a-1',
      purged: 3,
    },
    { seq: 0, records: [], rejected: [{ id: 'x', reason: 'No.', code: 'clock' }], more: true },
    { seq: 2, records: [...wireRecords.slice(0, 2), { type: 'part', id: 'p', seq: 9, createdAt: 1, routine: 'q' }] },
  ].map((value) => JSON.stringify(value)),
  words: ['"seq"', '"records"', '"type"', '"id"', '"part"', '"routine"', '"r"', '"p"', '"position"', '"toString"'],
  shortRounds: 1_000,
  trial: (text) => {
    let answer: ReturnType<typeof asSyncAnswer>;
    try {
      answer = asSyncAnswer(parsed(text));
    } catch (failure) {
      holds(failure instanceof Unreached, String(failure));
      return '';
    }
    holds(isFrame(answer.seq) && isFrame(answer.purged), `up to ${answer.seq}, forgotten up to ${answer.purged}`);
    const hasTexts = orNull(isText)(answer.clock) && orNull(isText)(answer.library);
    holds(hasTexts && isFlag(answer.more), JSON.stringify(answer));
    holds(answer.rejected.every((each) => isText(each.id) && isText(each.reason)), JSON.stringify(answer.rejected));
    const view = new LocalView();
    for (const record of answer.records) {
      holds(isText(record.type) && isText(record.id) && isFrame(record.seq), JSON.stringify(record));
      view.takeRecord(record);
    }
    let shown = 0;
    for (const type of recordTypes) {
      for (const record of view.all(type)) {
        same(view.get(type, record.id), record, 'it is shown as another');
        holds(!view.isDeleted(type, record.id), `${record.id} is deleted and shown`);
        for (const list of lists) {
          holds(view.list(list, record.id).every((child) => view.get(child.type, child.id) === child), 'of another');
        }
        shown += 1;
      }
    }
    return `${some(shown)} of ${some(answer.records.length)}, ${some(answer.rejected.length)}, ${answer.more}`;
  },
};

const isDrawing = ({ side, path }: QRDrawing): boolean => (
  isFrame(side) && side < 10_000 && /^[MHVLZmhvlz\d .,-]+$/.test(path)
);
const picture = '<svg viewBox="0 0 45 45"><rect width="45"/><path fill="#000" d="M4 4h7v1H4zM14 4h1v1H14z"/></svg>';

/** The first line is the status, the second a type of content, the rest what came. */
const devices: Harness<string> = {
  name: 'answers',
  promise: 'what is said of devices and the network has its form, and a refusal is a sentence',
  isJSON: true,
  seeds: [
    ...[
      { role: 'device', device: { id, name: 'Phone' } }, { role: 'owner', device: null },
      { devices: [{ id, name: 'Phone', createdAt: 1, lastSeenAt: null, isThis: true, invitedBy: id }] },
      { isOn: true, addresses: ['https://192.168.1.20:7743'], authority: { fingerprint: 'ab' }, problem: null },
      { expiresAt: 1, address: 'https://a/pair#x', qr: picture, installAddress: null, installQr: picture },
    ].map((value) => `200\napplication/json\n${JSON.stringify(value)}`),
    '401\napplication/problem+json\n{"title":"Not paired","detail":"Pair this device first."}', '200\n\n<html>',
    '502\ntext/html\n<html>',
  ],
  words: [
    '200', '404', '507', 'application/problem+json', '"detail"', '"role"', '"owner"', '"devices"', '"addresses"',
    'viewBox=\\"0 0 ', 'd=\\"M0 0\\"', 'onload=',
  ],
  shortRounds: 700,
  trial: async (text) => {
    const [status = '', type = '', body = ''] = lines(text, 3);
    const code = /^[2-5]\d\d$/.test(status) ? Number(status) : 200;
    const response = {
      status: code, ok: code < 300, text: () => Promise.resolve(body),
      headers: { get: (name: string) => (name === 'Content-Type' ? type : null) },
    };
    const fetched = globalThis.fetch;
    globalThis.fetch = (() => Promise.resolve(response)) as unknown as typeof globalThis.fetch;
    const said: string[] = [];
    const ask = async <V>(name: string, answer: Promise<V>, fits: (value: V) => boolean): Promise<void> => {
      try {
        const value = await answer;
        holds(response.ok, `${name} of ${code}`);
        holds(fits(value), `${name}: ${JSON.stringify(value)}`);
        said.push(name);
      } catch (failure) {
        if (failure instanceof Refused) {
          holds(!response.ok && failure.status === code && isText(failure.message) && failure.message !== '', name);
          said.push(`no ${failure.isFromSegmance} ${failure.message.startsWith('The server could not')}`);
        } else if (!(failure instanceof Unreached && response.ok)) throw failure;
      }
    };
    try {
      await ask('session', fetchSession(), ({ role, device }) => (
        ['owner', 'device', 'stranger'].includes(role)
        && (device === null || isText(device.id) && isText(device.name))
      ));
      await ask('devices', fetchDevices(), (all) => all.every((each) => (
        isText(each.id) && isText(each.name) && isNumber(each.createdAt) && orNull(isNumber)(each.lastSeenAt)
        && isFlag(each.isThis) && orNull(isText)(each.invitedBy)
      )));
      await ask('network', fetchNetwork(), (network) => (
        isFlag(network.isOn) && network.addresses.every(isText) && orNull(isText)(network.problem)
        && (network.authority === null || isText(network.authority.fingerprint))
      ));
      await ask('pairing', makePairing(), (pairing) => (
        isNumber(pairing.expiresAt) && isText(pairing.address) && orNull(isText)(pairing.installAddress)
        && [pairing.code, pairing.installCode].every((each) => each === null || isDrawing(each))
      ));
    } finally {
      globalThis.fetch = fetched;
    }
    return said.join();
  },
};

const tus: Harness<string> = {
  name: 'tus',
  promise: 'how much has arrived is a number of bytes, or the answer is none of Segmance’s',
  seeds: ['0', '1048576', '9007199254740991', '9007199254740992', '', ' 5 ', '-1', '0x10', '1e3'],
  words: ['0x', 'e', '-', '+', ' ', '\t', ', ', 'Infinity', '.0'],
  shortRounds: 1_500,
  trial: async (text) => {
    const response = {
      ok: true, status: 200, text: () => Promise.resolve(''),
      headers: { get: (name: string) => (name === 'Upload-Offset' ? text : null) },
    };
    const environment = {
      fetch: () => Promise.resolve(response as unknown as Response), timer: () => () => undefined,
    };
    try {
      const arrived = await uploadedBytes(environment, '/api/uploads/x', new AbortController().signal);
      holds(isFrame(arrived) && !Object.is(arrived, -0), `${arrived} bytes have arrived`);
      holds(/^\d+$/.test(text) && BigInt(text) === BigInt(arrived), `${JSON.stringify(text)} is ${arrived}`);
      return some(text.length);
    } catch (failure) {
      if (!(failure instanceof Unreached)) throw failure;
      return '';
    }
  },
};

/** All of them. */
export const answers = [remote, events, sync, devices, tus] as unknown as readonly Harness<Input>[];
