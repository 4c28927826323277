// The counts of a part, and of a run of parts; the grid is replaced by one that tells what it was asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlayedCounts } from '../../src/audio/playedCounts';
import type { Grid } from '../../src/counts/grid';
import type { Stretch } from '../../src/timeline';

/** A grid with a count each 1,000 frames and a 1 each 8,000. */
const grid = {
  counts: (startFrame: number, endFrame: number) => (endFrame - startFrame) / 1_000,
  positionIn: (frame: number, { startFrame }: Stretch) => (
    { eight: Math.floor(frame / 8_000) - Math.ceil(startFrame / 8_000) + 1, count: Math.floor(frame / 1_000) % 8 + 1, fraction: 0 }
  ),
  stepped: (frame: number, direction: number, { startFrame, endFrame }: Stretch) => {
    const to = direction > 0 ? Math.floor(frame / 8_000) * 8_000 + 8_000 : Math.ceil(frame / 8_000) * 8_000 - 8_000;
    return Math.min(endFrame, Math.max(startFrame, to));
  },
} as unknown as Grid;

const of = (trackId: string, startFrame: number, endFrame: number) => (
  { id: trackId, trackId, trackLengthFrames: 900_000, startFrame, endFrame });
const everything = { startFrame: 0, endFrame: 900_000 };

test('without a grid there are no counts', () => {
  const counts = new PlayedCounts();
  counts.load(of('one', 0, 40_000));
  assert.equal(counts.hasCounts, false);
  assert.equal(counts.place(5_000), null);
  assert.equal(counts.step(5_000, 1, everything), null);
  assert.equal(counts.nearest(5_000), 5_000);
  counts.setGrid('two', grid);
  assert.equal(counts.hasCounts, false);
});

test('a part has its own eights, and steps stay in the section that loops', () => {
  const counts = new PlayedCounts();
  let told = 0;
  counts.subscribe(() => { told += 1; });
  counts.load(of('one', 16_000, 60_000));
  counts.setGrid('one', grid);
  assert.equal(told, 2);
  assert.equal(counts.hasCounts, true);
  assert.deepEqual(counts.place(25_000), { eight: 2, count: 2, fraction: 0 });
  assert.equal(counts.step(25_000, 1, everything), 32_000);
  assert.equal(counts.step(25_000, -1, { startFrame: 24_500, endFrame: 30_000 }), 24_500);
  assert.equal(counts.step(25_000, 1, { startFrame: 24_500, endFrame: 30_000 }), 30_000);
});

test('a run counts in the part that sounds, and steps from part to part', () => {
  const counts = new PlayedCounts();
  const run = [of('one', 16_000, 36_000), of('two', 8_000, 40_000)];
  counts.load({ ...of('run', 0, 52_000), run });
  counts.setGrid('one', grid);
  counts.setGrid('two', grid);
  assert.deepEqual(counts.place(0), { eight: 1, count: 1, fraction: 0 });
  assert.deepEqual(counts.place(9_000), { eight: 2, count: 2, fraction: 0 });
  assert.deepEqual(counts.place(21_000), { eight: 1, count: 2, fraction: 0 });
  assert.equal(counts.step(17_000, 1, everything), 20_000, 'the end of the first part');
  assert.equal(counts.step(20_000, 1, everything), 28_000);
  assert.equal(counts.step(25_000, -1, everything), 20_000);
  assert.equal(counts.step(20_000, -1, everything), 16_000, 'an eight of the part before');
  counts.setGrid('one', null);
  assert.equal(counts.hasCounts, true);
  assert.equal(counts.place(9_000), null);
  assert.equal(counts.step(20_000, -1, everything), null);
});
