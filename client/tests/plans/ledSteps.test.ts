// The steps of a plan as the player plays them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledStep, type PlayablePartOfPlan } from '../../src/plans/ledSteps';
import type { PlanStep } from '../../src/practice/plan';

const second = 48_000;

const part = (id: string, index: number, start: number, end: number, more: Partial<PlayablePartOfPlan> = {}): PlayablePartOfPlan => ({
  id, index,
  stretch: { trackId: 'song', trackLengthFrames: 100 * second, startFrame: start * second, endFrame: end * second },
  lastEightStart: null, firstEightEnd: null, ...more,
});

const parts = [
  part('a', 0, 0, 10), part('b', 2, 10, 30, { firstEightEnd: 13 * second, lastEightStart: 25 * second }),
  part('c', 3, 30, 32, { lastEightStart: 20 * second }),
];

const step = (changes: Partial<PlanStep>): PlanStep => ({
  kind: 'part', firstPart: 'a', lastPart: 'a', passes: 4, fromPercent: 70, toPercent: 85, stepPercent: 5, restSeconds: 6, ...changes,
});

test('a part is looped as often as the step says, faster each time', () => {
  const made = ledStep(step({}), parts, 'session 1');
  assert.deepEqual(made?.settings, {
    loopMode: 'whole', markerA: null, markerB: null, semitones: 0, percent: 70, repeatLimit: 4, restSeconds: 6,
    trainer: { from: 70, to: 85, step: 5, every: 1 },
  });
  assert.equal(made?.playable.endFrame, 10 * second);
  assert.deepEqual(made?.run.indices, [0]);
  assert.equal(made?.playable.id, 'session 1');
});

test('at one speed the trainer is off', () => {
  for (const changes of [{ toPercent: 70 }, { passes: 1 }, { stepPercent: 0 }]) {
    assert.equal(ledStep(step(changes), parts, 's')?.settings.trainer.every, 0);
  }
});

test('longer adds passes', () => {
  assert.equal(ledStep(step({}), parts, 's', 2)?.settings.repeatLimit, 6);
});

test('a chain plays its parts in one go', () => {
  const made = ledStep(step({ kind: 'chain', firstPart: 'b', lastPart: 'c' }), parts, 's');
  assert.deepEqual(made?.run.indices, [2, 3]);
  assert.equal(made?.playable.endFrame, 22 * second);
});

test('a transition loops an eight before the border and one after it', () => {
  const made = ledStep(step({ kind: 'transition', firstPart: 'a', lastPart: 'b' }), parts, 's');
  // Without counts four seconds before, with counts three after.
  assert.deepEqual(
    [made?.settings.loopMode, made?.settings.markerA, made?.settings.markerB], ['section', 6 * second, 13 * second]);
});

test('a side of a transition is not longer than its part', () => {
  const made = ledStep(step({ kind: 'transition', firstPart: 'b', lastPart: 'c' }), parts, 's');
  // Part b takes 20 s; its last eight has five; part c has no counts and two seconds.
  assert.deepEqual([made?.settings.markerA, made?.settings.markerB], [15 * second, 22 * second]);
});

test('a run-through without parts is the whole routine', () => {
  assert.deepEqual(ledStep(step({ kind: 'runThrough', firstPart: '', lastPart: '' }), parts, 's')?.run.indices, [0, 2, 3]);
});

test('what can’t be played is left out', () => {
  assert.equal(ledStep(step({ kind: 'rest', firstPart: '', lastPart: '' }), parts, 's'), null);
  assert.equal(ledStep(step({ firstPart: 'gone', lastPart: 'gone' }), parts, 's'), null);
  assert.equal(ledStep(step({ kind: 'chain', firstPart: 'c', lastPart: 'a' }), parts, 's'), null);
  assert.equal(ledStep(step({ kind: 'transition', firstPart: 'c', lastPart: 'c' }), parts, 's'), null);
  assert.equal(ledStep(step({}), [], 's'), null);
});
