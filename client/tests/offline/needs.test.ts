// The kept files: only those that parts play, and the latest within the cache limit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsOf, needsOfAll, recentNeeds, type Need, type NeedsLibrary } from '../../src/offline/needs';
import { mediaAddress, neededAddress, pathOf } from '../../src/apiAddress';
import type { Move, Part, Track, Video } from '../../src/sync/records';

const second = 48_000;

function part(fields: Partial<Part>): Part {
  return { type: 'part', id: 'part', createdAt: 0, routine: 'swan', title: 'One', position: 'V', ...fields };
}

/** A library whose caller is off, unless it has moves. */
function library(
  tracks: readonly Partial<Track>[] = [], videos: readonly Partial<Video>[] = [], moves: readonly Partial<Move>[] = [],
): NeedsLibrary {
  const all: readonly { readonly id?: string }[] = [...tracks, ...videos];
  return {
    get: (_type: string, id: string) => all.find((one) => one.id === id),
    setting: (name: string) => (name === 'caller' ? moves.length > 0 : 'de'), moves: () => moves,
  } as unknown as NeedsLibrary;
}

const song = { id: 'song', state: 'ready', lengthFrames: 65 * second } as const;

function chunks(needs: readonly Need[]): number[] {
  return needs.flatMap(({ address }) => /chunks\/(\d+)$/.exec(address)?.[1] ?? []).map(Number);
}

test('a part needs only the chunks from its first to its last frame', () => {
  const cases: [number | null, number | null, number[]][] = [
    [22 * second, 38 * second, [2, 3]],
    [20 * second, 30 * second, [2]],
    [20 * second - 1, 30 * second + 1, [1, 2, 3]],
    [null, null, [0, 1, 2, 3, 4, 5, 6]],
    [60 * second, 90 * second, [6]],
  ];
  for (const [startFrame, endFrame, wanted] of cases) {
    assert.deepEqual(chunks(needsOf(part({ track: 'song', startFrame, endFrame }), library([song]))), wanted);
  }
});

test('a song that is being prepared, missing or unknown needs nothing', () => {
  assert.deepEqual(needsOf(part({}), library()), []);
  assert.deepEqual(needsOf(part({ track: 'song' }), library()), []);
  assert.deepEqual(needsOf(part({ track: 'song' }), library([{ ...song, state: 'importing' }])), []);
});

test('a part whose moves are called needs its name and theirs, if they lie on counts', () => {
  const moves = [{ title: 'Drehung', startCount: 4 }, { title: 'Sprung' }, { title: 'Kick & Step', startCount: 0 }];
  const needs = needsOf(part({ title: 'Eins' }), library([], [], moves));
  assert.deepEqual(needs.map(({ address }) => address), ['Eins', 'Drehung', 'Kick & Step'].map(
    (text) => mediaAddress.speech('de', text)));
  assert.equal(needs.every(({ isExtra }) => isExtra), true);
});

test('a move with a recording needs that, once it is prepared', () => {
  const recordings = [{ id: 'r1', state: 'ready' }, { id: 'r2', state: 'importing' }] as Partial<Track>[];
  const moves = [
    { title: 'Turn', startCount: 0, recording: 'r1' }, { title: 'Jump', startCount: 4, recording: 'r2' },
    { title: 'Fall', startCount: 8, recording: 'gone' }];
  const needs = needsOf(part({ title: 'One' }), library(recordings, [], moves));
  assert.deepEqual(needs.slice(1).map(({ address }) => address), [
    mediaAddress.voice('r1'), mediaAddress.speech('de', 'Jump'), mediaAddress.speech('de', 'Fall')]);
});

test('a part of a routine whose songs are equally loud needs the analyses of the others', () => {
  const tracks = [song, { ...song, id: 'other' }, { ...song, id: 'late', state: 'importing' }] as Partial<Track>[];
  const parts = [part({ track: 'song' }), part({ track: 'other' }), part({ track: 'other' }), part({ track: 'late' }), part({})];
  const needs = (evenLoudness: number | null): readonly string[] => {
    const all = [...tracks, { id: 'swan', title: 'Swan', evenLoudness }] as Partial<Track>[];
    return needsOf(part({ track: 'song' }), { ...library(all), parts: () => parts })
      .flatMap(({ address }) => /tracks\/(\w+)\/analysis/.exec(address)?.[1] ?? []);
  };
  assert.deepEqual(needs(null), ['song']);
  assert.deepEqual(needs(1), ['song', 'other']);
});

test('two parts of one song need its waveform once', () => {
  const needs = needsOfAll([
    part({ track: 'song', startFrame: 0, endFrame: 15 * second }),
    part({ track: 'song', startFrame: 12 * second, endFrame: 25 * second }),
  ], library([song]));
  assert.deepEqual(chunks(needs), [0, 1, 2]);
  assert.equal(needs.filter(({ address }) => address.includes('/peaks')).length, 1);
});

test('a video is needed with its poster, and its pieces belong to it', () => {
  const needs = needsOf(part({ video: 'clip' }), library([], [{ id: 'clip', state: 'ready', size: 9_000_000 }]));
  assert.deepEqual(needs.map(({ address, kind, isExtra }) => [address, kind, isExtra]), [
    ['/api/videos/clip/file', 'video', false], ['/api/videos/clip/poster', 'whole', true],
  ]);
  assert.equal(neededAddress(mediaAddress.videoPiece('/api/videos/clip/file', 12)), '/api/videos/clip/file');
  assert.equal(neededAddress('/api/tracks/song/peaks?framesPerPixel=64'), '/api/tracks/song/peaks?framesPerPixel=64');
});

const sizes: { readonly [part: string]: number } = { old: 40, middle: 30, latest: 50, giant: 500 };

function stays(budget: number, names: readonly string[], kept: readonly string[] = []): readonly string[] {
  const recent = names.map((name, at) => ({ part: name, at }));
  const needsOfPart = (name: string): Need[] => [{ address: name, kind: 'whole', bytes: sizes[name] ?? 0, isExtra: false }];
  return recentNeeds(recent, budget, needsOfPart, (address) => kept.includes(address), ({ bytes }) => bytes).parts;
}

test('the latest practised parts are kept, up to the cache limit', () => {
  const names = ['old', 'middle', 'latest'];
  assert.deepEqual(stays(200, names), ['latest', 'middle', 'old']);
  assert.deepEqual(stays(80, names), ['latest', 'middle']);
  // The next part is dropped, and so are all older parts, even if they would fit.
  assert.deepEqual(stays(79, names), ['latest']);
  assert.deepEqual(stays(0, names), []);
});

test('a part above the cache limit displaces nothing, and files of kept routines do not count', () => {
  assert.deepEqual(stays(80, ['old', 'latest', 'giant']), ['latest']);
  assert.deepEqual(stays(40, ['old', 'latest'], ['latest']), ['latest', 'old']);
});

test('a name has one address whatever its spaces, and shares its path with no other name', () => {
  const address = mediaAddress.speech('en', 'Pas de bourrée');
  assert.equal(mediaAddress.speech('en', '  Pas  de\nbourre\u0301e '), address);
  assert.match(address, /^\/api\/speech\?language=en&version=\d+&text=Pas%20de%20bourr%C3%A9e$/);
  assert.notEqual(pathOf(address), pathOf(mediaAddress.speech('en', 'Turn')));
  assert.equal(pathOf('/api/tracks/t/analysis?version=2'), '/api/tracks/t/analysis');
});
