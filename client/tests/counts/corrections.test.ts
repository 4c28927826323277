// What presses become as corrections.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOfTaps, mostTaps, orderOfNext, pauseAfter, type Tap } from '../../src/counts/corrections';
import { limits } from '../../src/sync/validation';

const tapped = (...frames: number[]): Tap[] => frames.map((frame, index) => ({ frame, at: 500 * index }));

test('a new correction has the order of its time', () => {
  assert.equal(orderOfNext([], 1_000.7), 1_000);
  assert.equal(orderOfNext([{ order: 10 }, { order: 20 }], 1_000), 1_000);
});

test('a new correction is the last of its track, even where another device’s clock is ahead', () => {
  assert.equal(orderOfNext([{ order: 1_000 }], 1_000), 1_001);
  assert.equal(orderOfNext([{ order: 10 }, { order: 5_000 }], 1_000), 5_001);
});

test('taps reach from the first frame to the one after the last, also when a loop repeated meanwhile', () => {
  assert.deepEqual(fieldsOfTaps(tapped(72_000, 96_000, 24_000, 48_000)), {
    startFrame: 24_000, endFrame: 96_001, taps: '24000 48000 72000 96000',
  });
});

test('as many taps as a correction uses fit into its field, at the end of the longest track', () => {
  const taps = Array.from({ length: mostTaps + 50 }, (_, index) => ({ frame: 2_073_600_000 - index, at: index }));
  const { taps: text } = fieldsOfTaps(taps);
  assert.equal(text?.split(' ').length, mostTaps);
  assert.equal((text?.length ?? Infinity) <= limits.gridCorrection.taps, true);
});

test('a pause is longer than a missed beat, at least two seconds and at most eight', () => {
  assert.equal(pauseAfter(tapped(0)), 2_000);
  assert.equal(pauseAfter(tapped(0, 24_000)), 2_000);
  assert.equal(pauseAfter([{ frame: 0, at: 0 }, { frame: 1, at: 2_000 }]), 5_000);
  assert.equal(pauseAfter([{ frame: 0, at: 0 }, { frame: 1, at: 60_000 }]), 8_000);
});
