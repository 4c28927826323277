// The rules that both sides have: the client's say what the server's say of the examples that
// Tests/ModelVectors writes. `make test-client` writes them first.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { byPosition, positionBetween } from '../../src/sync/position';
import type { RecordType } from '../../src/sync/records';
import { StampClock } from '../../src/sync/stamp';
import { validateFields } from '../../src/sync/validation';

interface Vectors {
  verdicts: { type: RecordType; fields: { [name: string]: unknown }; isValid: boolean }[];
  positions: { forms: { text: string; isValid: boolean }[]; ordered: string[] };
  stamps: { observed?: string; now: number; made: string }[];
}

const vectors = JSON.parse(readFileSync('.build/wire/model.json', 'utf8')) as Vectors;

test('a field holds what the server lets it hold', () => {
  assert(vectors.verdicts.length > 300);
  const differing = vectors.verdicts.filter(
    ({ type, fields, isValid }) => (validateFields(type, fields) === null) !== isValid);
  assert.deepEqual(differing, []);
});

test('a position is one on both sides', () => {
  for (const { text, isValid } of vectors.positions.forms) {
    assert.equal(validateFields('part', { position: text }) === null, isValid, text.slice(0, 20));
  }
});

test("the server's positions are in order here, and a position fits between any two", () => {
  const { ordered } = vectors.positions;
  const records = ordered.map((position, index) => ({ position, id: String(ordered.length - index) }));
  assert.deepEqual([...records].reverse().sort(byPosition), records);
  ordered.slice(1).forEach((position, index) => {
    const before = ordered[index] ?? '';
    const between = positionBetween(before, position);
    assert(before < between && between < position, `${before} ${between} ${position}`);
    assert.equal(validateFields('part', { position: between }), null);
  });
});

test("a clock makes the server's stamps", () => {
  let now = 0;
  const clock = new StampClock('1a2b3c4d', () => now);
  const made = vectors.stamps.map((step) => {
    now = step.now;
    if (step.observed !== undefined) clock.observe(step.observed);
    return clock.next();
  });
  assert.deepEqual(made, vectors.stamps.map((step) => step.made));
});
