import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countdownSecond, fractionOf, frameAt, pageAt, ringClosed } from '../../src/parts/progress';

const bounds = { startFrame: 1_000, endFrame: 3_000 };

test('converting between scrubber position and frame is reversible', () => {
  for (let frame = 1_000; frame <= 3_000; frame += 250) {
    assert.equal(frameAt(20 + fractionOf(frame, bounds) * 300, 20, 300, bounds), frame);
  }
});

test('positions outside the scrubber are clamped to its edges', () => {
  assert.equal(frameAt(-50, 0, 100, bounds), 1_000);
  assert.equal(frameAt(150, 0, 100, bounds), 3_000);
  assert.equal(fractionOf(9_000, bounds), 1);
  assert.equal(fractionOf(5, { startFrame: 5, endFrame: 5 }), 0);
});

test('the page that is at least half visible is current, also in right-to-left layouts', () => {
  assert.equal(pageAt(0, 390, 4), 0);
  assert.equal(pageAt(194, 390, 4), 0);
  assert.equal(pageAt(196, 390, 4), 1);
  assert.equal(pageAt(-400, 390, 4), 1);
  assert.equal(pageAt(9_999, 390, 4), 3);
  assert.equal(pageAt(10, 0, 4), 0);
});

test('the ring grows monotonically during the countdown', () => {
  assert.equal(ringClosed(48_000 * 5, 48_000 * 5, 0), 0);
  assert.equal(ringClosed(0, 48_000 * 5, 0), 1);
  assert.equal(ringClosed(4_800, 48_000, 9_600), 1);
  assert.equal(ringClosed(0, 0, 0), 1);
});

test('a countdown of three seconds shows 3, 2, 1', () => {
  assert.deepEqual([144_000, 96_001, 96_000, 48_000, 1, 0].map(countdownSecond), [3, 3, 2, 1, 1, 1]);
});
