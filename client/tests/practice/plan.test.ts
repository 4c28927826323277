// Saved plans through the real module.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedSeconds, parsePlan, percentOfPass, printPlan, type PlanStep } from '../../src/practice/plan';
import { id, part, practice } from './studio';

const climb: PlanStep = {
  kind: 'part', firstPart: id(1), lastPart: id(1), passes: 3, fromPercent: 50, toPercent: 100, stepPercent: 50, restSeconds: 4,
};
const rest: PlanStep = {
  kind: 'rest', firstPart: '', lastPart: '', passes: 1, fromPercent: 100, toPercent: 100, stepPercent: 0, restSeconds: 60,
};

test('a plan is read as it was written', () => {
  const steps: PlanStep[] = [climb, rest, { ...climb, kind: 'chain', lastPart: id(3) }];
  assert.deepEqual(parsePlan(practice, printPlan(practice, steps)), steps);
  assert.equal(printPlan(practice, [climb]), `part ${id(1)} ${id(1)} 3 50 100 50 4`);
});

test('what is no step is left out, and numbers that can’t be are clamped', () => {
  assert.deepEqual(parsePlan(practice, `dance\npart ${id(1)}\nrest - - 1 100 100 0 60\n${'x'.repeat(12_000)}`), [rest]);
  assert.deepEqual(parsePlan(practice, `part ${id(1)} ${id(1)} 0 3 2 9 4`), [{ ...climb, passes: 1, fromPercent: 25, toPercent: 25, stepPercent: 9 }]);
  assert.deepEqual(parsePlan(practice, ''), []);
});

test('a step takes its announcement, its passes at their speeds and its pauses', () => {
  const parts = [part(1), part(2)];
  // 8 to announce, then 40, 20 and 20 seconds of music, and two pauses.
  assert.equal(expectedSeconds(practice, climb, parts), 8 + 40 + 20 + 20 + 8);
  assert.equal(expectedSeconds(practice, rest, parts), 60);
  assert.deepEqual([0, 1, 2].map((pass) => percentOfPass(climb, pass)), [50, 100, 100]);
});
