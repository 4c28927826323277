// Misses of a run-through, through the real module.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missedMove, parseCovered, parseMisses, printCovered, printMisses, withMiss, withoutMiss } from '../../src/practice/misses';
import { id, part, practice, second } from './studio';

const parts = [part(1), part(2)];
const covered = parts.map(({ id: partId, startFrame, endFrame }) => ({ partId, startFrame, endFrame }));

test('a tap means the move of one reaction time earlier', () => {
  const run = { covered, percent: 100 };
  assert.deepEqual(missedMove(practice, parts, run, { partId: id(1), frame: 14 * second + 4_800 }), {
    partId: id(1), frame: 14 * second - 33_600, moveId: id(100),
  });
  assert.deepEqual(missedMove(practice, parts, { covered, percent: 50 }, { partId: id(2), frame: 10 * second }), {
    partId: id(1), frame: 30 * second - 19_200, moveId: id(104),
  });
});

test('a tap on what was not heard means nothing', () => {
  assert.equal(missedMove(practice, parts, { covered: [], percent: 100 }, { partId: id(1), frame: 500_000 }), null);
  assert.equal(missedMove(practice, parts, { covered, percent: 100 }, { partId: 'none', frame: 500_000 }), null);
  assert.equal(missedMove(practice, parts, { covered, percent: NaN }, { partId: id(1), frame: NaN }), null);
});

test('where no move lies on counts, a miss has a frame alone', () => {
  const bare = [part(1, { moves: [{ id: id(5), startFrame: null }] })];
  assert.equal(missedMove(practice, bare, { covered, percent: 100 }, { partId: id(1), frame: 20 * second })?.moveId, null);
});

test('a miss is added in the order of the run-through, once, and taken back', () => {
  const late = { partId: id(2), frame: 11 * second, moveId: id(200) };
  const early = { partId: id(1), frame: 12 * second, moveId: null };
  const both = withMiss(practice, covered, withMiss(practice, covered, [], late), early);
  assert.deepEqual(both, [early, late]);
  assert.deepEqual(withMiss(practice, covered, both, { ...late, frame: 13 * second }), both);
  assert.deepEqual(withoutMiss(practice, both, { ...early, frame: early.frame + 100 }), [late]);
  assert.deepEqual(withoutMiss(practice, [], late), []);
});

test('fields are read as they are written, and what is none is left out', () => {
  const misses = [{ partId: id(1), frame: 0, moveId: null }, { partId: id(2), frame: 7, moveId: id(200) }];
  assert.deepEqual(parseMisses(practice, printMisses(misses)), misses);
  assert.deepEqual(parseCovered(practice, printCovered(covered)), covered);
  assert.deepEqual(parseMisses(practice, `é\n${id(1)} 1e3 -\n${id(1)} 5 -`), [{ partId: id(1), frame: 5, moveId: null }]);
  assert.deepEqual(parseCovered(practice, ''), []);
  assert.deepEqual(parseCovered(practice, 'x\n'.repeat(100_000)), []);
});

test('a thousand taps leave no memory behind', () => {
  const before = practice.memory.buffer.byteLength;
  for (let tap = 0; tap < 1_000; tap += 1) {
    missedMove(practice, parts, { covered, percent: 100 }, { partId: id(1), frame: 10 * second + tap });
  }
  assert.equal(practice.memory.buffer.byteLength, before);
});
