// Which songs of a routine are played equally loud, and where their levels begin.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBeLevelled, playedLevels, stretchesByTrack } from '../../src/parts/evenLevels';
import type { PlayerPart } from '../../src/audio/types';
import type { Part, Track } from '../../src/sync/records';

const second = 48_000;

function part(fields: Partial<Part>): Part {
  return { type: 'part', id: 'part', createdAt: 0, routine: 'swan', title: 'One', position: 'V', ...fields };
}

const parts = [
  part({ track: 'a', startFrame: 0, endFrame: 10 * second }), part({}), part({ track: 'gone' }),
  part({ track: 'b' }), part({ track: 'a', startFrame: 20 * second, endFrame: 90 * second }), part({ track: 'late' }),
];

test('what is played of each song is measured together', () => {
  const tracks: Readonly<Record<string, Partial<Track>>> = {
    a: { id: 'a', state: 'ready', lengthFrames: 60 * second }, b: { id: 'b', state: 'ready', lengthFrames: 5 * second },
    late: { id: 'late', state: 'importing' },
  };
  const library = { parts: () => parts, get: (_type: string, id: string) => tracks[id] };
  assert.deepEqual(stretchesByTrack(library as never, 'swan'), [
    ['a', [{ startFrame: 0, endFrame: 10 * second }, { startFrame: 20 * second, endFrame: 60 * second }]],
    ['b', [{ startFrame: 0, endFrame: 5 * second }]],
  ]);
});

test('the switch is offered for several songs, and where it is on', () => {
  assert.equal(mayBeLevelled({}, parts), true);
  assert.equal(mayBeLevelled({}, [part({ track: 'a' }), part({ track: 'a' }), part({})]), false);
  assert.equal(mayBeLevelled({ evenLoudness: 1 }, []), true);
});

test('a part has one level, a run one for each part, and nothing has any while gains are not known', () => {
  const gains = new Map([['a', 0.5], ['b', 2]]);
  const one: PlayerPart = { id: 'p', trackId: 'b', trackLengthFrames: 9, startFrame: 3, endFrame: 9 };
  assert.deepEqual(playedLevels(one, gains), [{ frame: 0, gain: 2 }]);
  const run = [
    { trackId: 'a', trackLengthFrames: 9_000, startFrame: 1_000, endFrame: 4_000 },
    { trackId: 'b', trackLengthFrames: 9_000, startFrame: 0, endFrame: 500 },
    { trackId: 'c', trackLengthFrames: 9_000, startFrame: 0, endFrame: 9_000 },
  ];
  const whole: PlayerPart = { id: 'run', trackId: 'run', trackLengthFrames: 12_500, startFrame: 0, endFrame: 12_500, run };
  assert.deepEqual(playedLevels(whole, gains), [
    { frame: 0, gain: 0.5 }, { frame: 3_000, gain: 2 }, { frame: 3_500, gain: 1 }]);
  assert.deepEqual(playedLevels(whole, new Map()), []);
});
