import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest, nearestOfAll, quietest, reachOf, readSnap, toggledSnap, zeroCrossing } from '../../src/clipper/model/snapping';
import type { Peaks } from '../../src/ui/peaks';
import { Random } from '../sync/support/random';

test('the setting stores any combination', () => {
  let setting = '';
  setting = toggledSnap(setting, 'zero');
  setting = toggledSnap(setting, 'attacks');
  assert.equal(setting, 'attacks,zero');
  assert.deepEqual(readSnap(toggledSnap(setting, 'zero'), true), ['attacks']);
  assert.deepEqual(readSnap('nonsense,silence', true), ['silence']);
});

test('counts are snapped to where the track has some, and stay chosen where it has none', () => {
  assert.deepEqual(readSnap('counts,attacks', true), ['counts', 'attacks']);
  assert.deepEqual(readSnap('counts,attacks', false), ['attacks']);
  assert.equal(toggledSnap('counts', 'silence'), 'counts,silence');
});

test('the first count of an eight in reach goes before all that is nearer', () => {
  const counts = { all: [0, 100, 200, 300, 400], eights: [0, 400] };
  assert.equal(nearestOfAll(counts, [], 290, 120), 400);
  assert.equal(nearestOfAll(counts, [291, null], 290, 120), 400);
  assert.equal(nearestOfAll(counts, [], 290, 20), 300);
  assert.equal(nearestOfAll(counts, [284, null], 290, 20), 284);
  assert.equal(nearestOfAll(counts, [null, null], 250, 20), null);
  assert.equal(nearestOfAll(null, [310, 275], 290, 120), 275);
});

test('the snap distance is eight pixels and at most half a second', () => {
  assert.equal(reachOf(100), 800);
  assert.equal(reachOf(0.1), 1);
  assert.equal(reachOf(100_000), 24_000);
});

test('the nearest attack in range equals the result of a linear search', () => {
  const random = new Random(5);
  for (let round = 0; round < 500; round += 1) {
    const frames = Array.from({ length: random.below(20) }, () => random.below(1_000)).sort((a, b) => a - b);
    const frame = random.below(1_000);
    const reach = random.below(200);
    const distance = Math.min(...frames.map((each) => Math.abs(each - frame)));
    const found = nearest(frames, frame, reach);
    if (distance > reach) assert.equal(found, null);
    else assert.equal(Math.abs((found ?? Infinity) - frame), distance);
  }
});

function peaksOf(levels: readonly number[]): Peaks {
  return { framesPerPixel: 100, pairs: Int8Array.from(levels.flatMap((level) => [-level, level])) };
}

test('silence is the quietest moment in range, including its neighbours', () => {
  const peaks = peaksOf([90, 90, 90, 0, 90, 90, 20, 15, 20, 90]);
  // One quiet pair is a dip; three quiet pairs are a pause.
  assert.equal(quietest(peaks, 550, 400), 750);
  assert.equal(quietest(peaks, 550, 10), 550);
  assert.equal(quietest(peaks, 500, 10), null);
  assert.equal(quietest(peaksOf([5, 5, 90, 90]), 150, 100), 50);
  assert.equal(quietest(peaksOf([90, 90, 5, 5]), 250, 100), 350);
  assert.equal(quietest(peaksOf([0, 0, 0, 0, 0, 0, 0]), 330, 300), 350);
});

test('a zero crossing is the first frame with the other sign, and the nearest one is used', () => {
  const left = Float32Array.from({ length: 2_000 }, (_, at) => Math.sin((2 * Math.PI * (at + 0.5)) / 200));
  const right = new Float32Array(2_000);
  // The sine rises through zero between frames −1 and 0 and falls between frames 99 and 100.
  assert.equal(zeroCrossing(left, right, 0, 120, 480), 100);
  assert.equal(zeroCrossing(left, right, 0, 160, 480), 200);
  assert.equal(zeroCrossing(left, right, 10_000, 10_160, 480), 10_200);
  assert.equal(zeroCrossing(left, right, 0, 150, 10), null);
  // The sum of both channels is used.
  assert.equal(zeroCrossing(left, left.map((sample) => 2 - sample), 0, 150, 480), null);
});
