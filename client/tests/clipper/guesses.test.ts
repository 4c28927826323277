import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessesOnCounts, onCount, openGuesses } from '../../src/clipper/model/guesses';

/** Counts each 1,000 frames from 0 on, an eight each 8,000; none from 100,000 on. */
const grid = {
  period: (frame: number) => (frame < 100_000 ? 1_000 : null),
  nearestBeat: (frame: number) => Math.round(frame / 1_000) * 1_000,
  nearestEight: (frame: number) => Math.round(frame / 8_000) * 8_000,
};

test('a suggested cut moves to the eight within half a beat, or else to the nearest count', () => {
  assert.deepEqual(
    [8_000, 8_500, 7_500, 8_501, 7_499, 3_400, 12_345].map((frame) => onCount(grid, frame)),
    [8_000, 8_000, 8_000, 9_000, 7_000, 3_000, 12_000],
  );
});

test('a suggested cut stays where there are no counts, or where the nearest is far', () => {
  assert.equal(onCount(grid, 100_400), 100_400);
  assert.equal(onCount({ ...grid, nearestBeat: () => null, nearestEight: () => 0 }, 600), 600);
});

test('of two suggestions on one count the stronger one stays, and a track without counts keeps all', () => {
  const guesses = [{ frame: 7_900, strength: 0.8 }, { frame: 8_200, strength: 0.3 }, { frame: 20_100, strength: 0.5 }];
  assert.deepEqual(guessesOnCounts(grid, guesses), [{ frame: 8_000, strength: 0.8 }, { frame: 20_000, strength: 0.5 }]);
  assert.equal(guessesOnCounts(null, guesses), guesses);
});

test('a suggestion at a border is left out', () => {
  const piece = { id: 'one', title: '', startFrame: 0, endFrame: 50_000 };
  const guesses = [4_799, 4_800, 45_200, 45_201].map((frame) => ({ frame, strength: 1 }));
  assert.deepEqual(openGuesses(guesses, [piece]).map(({ frame }) => frame), [4_800, 45_200]);
});
