// What glows, and how much.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PracticeHistory, type RunRecord } from '../../src/practice/history';
import { printCovered, printMisses } from '../../src/practice/misses';
import { glowOf, keptGlow, shownWeakness } from '../../src/runThrough/glowOf';
import { id, part, practice } from '../practice/studio';

const parts = [part(1), part(2)];
const day = 86_400_000;
const now = 20_000 * day;

/** A run-through of both parts, so many days ago, that has missed some moves of the first part. */
function run(daysAgo: number, ...moves: number[]): RunRecord {
  return {
    startedAt: now - daysAgo * day, utcOffset: 0, percent: 100,
    covered: printCovered(parts.map(({ id: partId, startFrame, endFrame }) => ({ partId, startFrame, endFrame }))),
    misses: printMisses(moves.map((move) => ({
      partId: id(1), frame: parts[0]?.moves[move]?.startFrame ?? 0, moveId: id(100 + move),
    }))),
  };
}

function glowAfter(...runs: RunRecord[]) {
  const history = new PracticeHistory(practice, { parts, entries: [], runs, now, utcOffset: 0 });
  const glow = glowOf(history, parts);
  history.close();
  return glow;
}

test('nothing glows without a log', () => {
  assert.equal(glowAfter().size, 0);
});

test('a move that was missed glows with its part, and says how often; what went well does not', () => {
  const glow = glowAfter(run(2), run(1, 2), run(0, 2));
  assert.equal(glow.get(id(102))?.text, 'weak: missed 2 of the last 3');
  assert.equal(glow.get(id(1))?.text, 'weak: missed 2 of the last 3');
  assert.equal((glow.get(id(102))?.level ?? 0) >= 2, true);
  assert.equal(glow.get(id(101)), undefined);
  assert.equal(glow.get(id(201)), undefined);
});

test('it fades with each run-through that goes well, until nothing is left', () => {
  const levels = [0, 1, 2, 3].map((good) => (
    glowAfter(run(good, 2), ...Array.from({ length: good }, (_, at) => run(good - 1 - at))).get(id(102))?.level ?? 0
  ));
  assert.deepEqual(levels, [3, 1, 0, 0]);
});

test('a small weakness is not shown, and one without numbers says only that it is weak', () => {
  assert.equal(shownWeakness(0.1, null), null);
  assert.equal(shownWeakness(null, { missed: 1, of: 1 }), null);
  assert.deepEqual(shownWeakness(0.5, { missed: 0, of: 4 }), { strength: 0.5, level: 2, text: 'weak' });
});

test('what has not changed keeps its identity', () => {
  const before = new Map([['a', { strength: 0.5, level: 2, text: 'weak' }], ['b', { strength: 0.5, level: 2, text: 'weak' }]]);
  const next = keptGlow(before, new Map([['a', { strength: 0.5, level: 2, text: 'weak' }], ['b', { strength: 1, level: 3, text: 'weak' }]]));
  assert.equal(next.get('a'), before.get('a'));
  assert.deepEqual([next.size, next.get('b')?.level], [2, 3]);
});
