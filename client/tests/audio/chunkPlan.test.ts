// The plan of chunks to fetch and keep, given the memory limit and the playhead.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playbackBounds } from '../../src/audio/bounds';
import {
  chunkLength, chunksInWork, planChunks, residentChunks,
} from '../../src/audio/chunkPlan';
import type { PlayerPart } from '../../src/audio/types';

const chunk = 480_000;

function part(first: number, last: number, trackChunks = 400): PlayerPart {
  return {
    id: 'p',
    trackId: 't',
    trackLengthFrames: trackChunks * chunk - 100,
    startFrame: first * chunk + 5,
    endFrame: last * chunk + 50,
  };
}

const off = { loopMode: 'off', markerA: null, markerB: null } as const;
const section = (a: number, b: number) =>
  ({ loopMode: 'section', markerA: a * chunk + 9, markerB: b * chunk + 9 } as const);

test('while paused only the chunks for the next play are fetched', () => {
  const long = part(10, 40);
  const plan = planChunks(long, playbackBounds(long, off), long.startFrame, false);
  assert.deepEqual(plan.fetch, [10, 11]);
});

test('during playback all chunks ahead are fetched, the nearest first', () => {
  const short = part(3, 8);
  const plan = planChunks(short, playbackBounds(short, off), 5 * chunk, true);
  assert.deepEqual(plan.fetch, [5, 6, 3, 4, 7, 8]);
});

test('the chunks after a part are fetched last when its end is near, up to the end of the track', () => {
  const plan = (endFrame: number, trackLengthFrames: number): number[] => {
    const short = { ...part(3, 8), endFrame, trackLengthFrames };
    return planChunks(short, playbackBounds(short, off), 5 * chunk, true).fetch;
  };
  assert.deepEqual(plan(9 * chunk - 45_056, 400 * chunk), [5, 6, 3, 4, 7, 8]);
  assert.deepEqual(plan(9 * chunk - 45_055, 400 * chunk), [5, 6, 3, 4, 7, 8, 9]);
  assert.deepEqual(plan(9 * chunk, 9 * chunk), [5, 6, 3, 4, 7, 8]);
});

test('a plan never exceeds the capacity, at any position in an hour', () => {
  const hour = part(0, 359);
  for (let at = 0; at < 360; at += 1) {
    for (const loop of [off, section(at, Math.min(at + 40, 359)), section(2, 300)]) {
      const plan = planChunks(hour, playbackBounds(hour, loop), at * chunk + 1, true);
      assert(plan.keep.length <= residentChunks);
      assert.equal(new Set(plan.keep).size, plan.keep.length);
      assert(plan.fetch.every((one) => plan.keep.includes(one)));
    }
  }
});

test('resident and decoding chunks together stay within 128 MB', () => {
  const chunkBytes = chunk * 2 * 4;
  assert((residentChunks + 2 * chunksInWork) * chunkBytes <= 128_000_000);
});

test('the chunk under the playhead and the next one come first', () => {
  const hour = part(0, 359);
  for (let at = 0; at < 358; at += 1) {
    const plan = planChunks(hour, playbackBounds(hour, off), at * chunk + 77, true);
    assert.deepEqual(plan.keep.slice(0, 2), [at, at + 1]);
  }
});

test('the start of the section and of the part are kept through an hour', () => {
  const hour = part(0, 359);
  const bounds = playbackBounds(hour, section(20, 300));
  for (let at = 20; at < 300; at += 1) {
    const { keep } = planChunks(hour, bounds, at * chunk + 77, true);
    for (const needed of [20, 21, 0]) assert(keep.includes(needed), `${needed} at ${at}`);
  }
});

test('in the last chunk of a loop the first chunk is next', () => {
  const hour = part(0, 359);
  const plan = planChunks(hour, playbackBounds(hour, section(20, 90)), 90 * chunk + 1, true);
  assert.deepEqual(plan.keep.slice(0, 3), [90, 20, 21]);
});

test('at the end of the part its first chunk is needed', () => {
  const short = part(3, 8);
  const plan = planChunks(short, playbackBounds(short, off), short.endFrame, false);
  assert.deepEqual(plan.fetch.slice(0, 2), [3, 4]);
});

test('chunks behind the playhead are kept while there is room and are not fetched', () => {
  const short = part(3, 8);
  const plan = planChunks(short, playbackBounds(short, off), 7 * chunk, true);
  assert.deepEqual(plan.keep, [7, 8, 3, 4, 6, 5]);
  assert(!plan.fetch.includes(6) && !plan.fetch.includes(5));
});

test('a part that extends beyond its track requests no missing chunk', () => {
  const beyond = { ...part(3, 8, 5), endFrame: 9 * chunk };
  const plan = planChunks(beyond, playbackBounds(beyond, off), 4 * chunk, true);
  assert.deepEqual([...plan.keep].sort(), [3, 4]);
});

test('while paused a part that ends on a chunk border does not need the next chunk', () => {
  const even = { ...part(3, 5), startFrame: 3 * chunk, endFrame: 5 * chunk };
  const plan = planChunks(even, playbackBounds(even, off), 4 * chunk, false);
  assert.deepEqual(plan.fetch, [4, 3]);
});

test('only the last chunk of a track is shorter', () => {
  assert.equal(chunkLength(0, 500_000), 480_000);
  assert.equal(chunkLength(1, 500_000), 20_000);
  assert.equal(chunkLength(2, 500_000), 0);
});
