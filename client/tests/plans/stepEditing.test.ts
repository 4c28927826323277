// Changes of a plan's steps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newStep, ofKind, plainStep, withFirstPart, withMoved } from '../../src/plans/stepEditing';

const parts = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
const step = newStep(parts);

test('a new step is the first part', () => {
  assert.deepEqual([step.kind, step.firstPart, step.lastPart, step.passes], ['part', 'a', 'a', 2]);
});

test('each kind has the parts that it needs', () => {
  const b = withFirstPart(step, 'b', parts);
  const of = (kind: Parameters<typeof ofKind>[1], from = b): readonly unknown[] => {
    const { firstPart, lastPart } = ofKind(from, kind, parts);
    return [firstPart, lastPart];
  };
  assert.deepEqual(of('part'), ['b', 'b']);
  assert.deepEqual(of('chain'), ['b', 'c']);
  assert.deepEqual(of('transition'), ['b', 'c']);
  assert.deepEqual(of('runThrough'), ['a', 'c']);
  assert.deepEqual(of('rest'), ['', '']);
  // After the last part comes none.
  assert.deepEqual(of('transition', withFirstPart(step, 'c', parts)), ['b', 'c']);
  // A rest has forgotten its part.
  assert.deepEqual(of('part', ofKind(b, 'rest', parts)), ['a', 'a']);
});

test('another first part takes the last one along where that would come before it', () => {
  const chain = { ...ofKind(step, 'chain', parts), lastPart: 'b' };
  assert.equal(withFirstPart(chain, 'c', parts).lastPart, 'c');
  assert.equal(withFirstPart({ ...chain, lastPart: 'c' }, 'b', parts).lastPart, 'c');
  assert.equal(withFirstPart(ofKind(step, 'transition', parts), 'b', parts).lastPart, 'c');
});

test('a step moves by one place, and not beyond the ends', () => {
  assert.deepEqual(withMoved(['x', 'y', 'z'], 1, -1), ['y', 'x', 'z']);
  assert.deepEqual(withMoved(['x', 'y', 'z'], 1, 1), ['x', 'z', 'y']);
  assert.deepEqual(withMoved(['x', 'y'], 0, -1), ['x', 'y']);
  assert.deepEqual(withMoved(['x', 'y'], 1, 1), ['x', 'y']);
});

test('a proposed step is kept without its reason', () => {
  const proposed = { ...step, expectedSeconds: 40, reason: { kind: 'new' as const } };
  assert.deepEqual(plainStep(proposed), step);
});
