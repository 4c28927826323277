// The overview's window and the rows of bands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { laneOf } from '../../src/clipper/stage/lanes';
import { drawnWindow, overviewZone } from '../../src/clipper/stage/overviewZone';
import { seeded } from './random';

test('the window can be dragged at its edges and its middle at any width', () => {
  assert.equal(overviewZone(95, 100, 200, false), 'left');
  assert.equal(overviewZone(110, 100, 200, false), 'left');
  assert.equal(overviewZone(150, 100, 200, false), 'window');
  assert.equal(overviewZone(205, 100, 200, false), 'right');
  assert.equal(overviewZone(50, 100, 200, false), 'outside');
  assert.equal(overviewZone(250, 100, 200, false), 'outside');
  assert.equal(overviewZone(106, 100, 112, false), 'window');
  assert.equal(overviewZone(150, 0, 300, true), 'outside', 'the whole track can’t be moved');
  assert.equal(overviewZone(3, 0, 300, true), 'left');
});

test('the window has a minimum width and stays in the strip', () => {
  const random = seeded(41);
  for (let round = 0; round < 1_000; round += 1) {
    const left = random() * 300;
    const { left: from, right: to } = drawnWindow(left, left + random() * (300 - left), 300);
    assert(from >= 0 && to <= 300 + 1e-9 && to - from >= 12 - 1e-9);
  }
});

test('consecutive bands share a row and overlapping bands do not', () => {
  const at = (startFrame: number, endFrame: number): { startFrame: number; endFrame: number } => ({ startFrame, endFrame });
  assert.deepEqual(laneOf([at(0, 10), at(10, 20), at(20, 30)], 2), [0, 0, 0]);
  assert.deepEqual(laneOf([at(0, 10), at(5, 20), at(20, 30)], 2), [0, 1, 0]);
  assert.deepEqual(laneOf([at(0, 10), at(0, 10), at(0, 10)], 2), [0, 1, 1], 'the last row takes the rest');
});
