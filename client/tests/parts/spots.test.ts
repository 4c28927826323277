import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAt, pressSpot, spotsWithin, unsavedSection } from '../../src/parts/spots';
import type { Spot } from '../../src/sync/records';

const second = 48_000;
const bounds = { startFrame: 10 * second, endFrame: 20 * second };
const spot = (startFrame: number, endFrame: number): Spot => ({
  type: 'spot', id: `${startFrame}`, createdAt: 0, part: 'p', startFrame, endFrame,
});
const borders = (spots: readonly Spot[]): number[][] => (
  spotsWithin(spots, bounds).map(({ startFrame, endFrame }) => [startFrame / second, endFrame / second])
);

test('a spot is shown as far as it lies in its part', () => {
  assert.deepEqual(borders([spot(12 * second, 14 * second)]), [[12, 14]]);
  assert.deepEqual(borders([spot(8 * second, 14 * second), spot(19 * second, 30 * second)]), [[10, 14], [19, 20]]);
  assert.deepEqual(borders([spot(0, 10 * second), spot(20 * second, 21 * second), spot(15 * second, 15 * second)]), []);
});

test('a press loops a spot, and a press on the one that loops ends that', () => {
  const turn = { startFrame: 12 * second, endFrame: 14 * second };
  const looping = pressSpot({ loopMode: 'whole', markerA: null, markerB: 15 * second }, turn, bounds);
  assert.deepEqual(looping, { loopMode: 'section', markerA: 12 * second, markerB: 14 * second });
  assert.equal(isAt(looping, turn), true);
  const ended = pressSpot(looping, turn, bounds);
  assert.deepEqual(ended, { ...looping, loopMode: 'off' });
  assert.equal(pressSpot(ended, turn, bounds).loopMode, 'section');
});

test('only a whole section that is no spot yet can be kept', () => {
  const spots = spotsWithin([spot(12 * second, 14 * second)], bounds);
  const section = (markerA: number | null, markerB: number | null) => (
    unsavedSection({ loopMode: 'section', markerA, markerB }, spots)
  );
  assert.deepEqual(section(12 * second, 15 * second), { startFrame: 12 * second, endFrame: 15 * second });
  assert.equal(section(12 * second, 14 * second), null);
  assert.equal(section(12 * second, null), null);
  assert.equal(section(null, 12 * second), null);
  const many = Array.from({ length: 50 }, () => spot(12 * second, 14 * second));
  assert.equal(unsavedSection({ loopMode: 'off', markerA: 0, markerB: 9 }, many), null);
});
