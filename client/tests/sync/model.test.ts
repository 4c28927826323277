// The rules that client and server share, checked with the examples that Tests/ModelVectors writes.
// `make test-client` writes them first.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { orderedByCounts } from '../../src/sync/moveOrder';
import { byPosition, positionBetween } from '../../src/sync/position';
import type { RecordType } from '../../src/sync/records';
import { StampClock } from '../../src/sync/stamp';
import { validateFields } from '../../src/sync/validation';

interface Vectors {
  verdicts: { type: RecordType; fields: { [name: string]: unknown }; isValid: boolean }[];
  positions: { forms: { text: string; isValid: boolean }[]; ordered: string[] };
  moveOrders: { moves: { id: string; position: string; startCount?: number }[]; ordered: string[] }[];
  stamps: { observed?: string; now: number; made: string }[];
}

const vectors = JSON.parse(readFileSync('.build/model.json', 'utf8')) as Vectors;

test('client and server accept the same field values', () => {
  assert(vectors.verdicts.length > 300);
  const differing = vectors.verdicts.filter(
    ({ type, fields, isValid }) => (validateFields(type, fields) === null) !== isValid);
  assert.deepEqual(differing, []);
});

test('client and server accept the same positions', () => {
  for (const { text, isValid } of vectors.positions.forms) {
    assert.equal(validateFields('part', { position: text }) === null, isValid, text.slice(0, 20));
  }
});

test("the server's positions are in order in the client, and a position fits between any two", () => {
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

test('client and server show moves in the same order', () => {
  assert.equal(vectors.moveOrders.length, 40);
  for (const { moves, ordered } of vectors.moveOrders) {
    assert.deepEqual(orderedByCounts(moves.sort(byPosition)).map(({ id }) => id), ordered);
  }
});

test("the client's clock makes the same stamps as the server's", () => {
  let now = 0;
  const clock = new StampClock('1a2b3c4d', () => now);
  const made = vectors.stamps.map((step) => {
    now = step.now;
    if (step.observed !== undefined) clock.observe(step.observed);
    return clock.next();
  });
  assert.deepEqual(made, vectors.stamps.map((step) => step.made));
});
