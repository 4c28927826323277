// Fractional positions: between neighbours, many at once, and their length.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positionBetween, positionsBetween } from '../../src/sync/position';
import { Random } from './support/random';

const form = /^[0-9A-Za-z]*[1-9A-Za-z]$/;

test('a position lies between its neighbours, in any order of insertions', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const random = new Random(seed);
    const all: string[] = [];
    for (let made = 0; made < 60; made += 1) {
      const index = random.below(all.length + 1);
      const [a, b] = [all[index - 1] ?? null, all[index] ?? null];
      const position = positionBetween(a, b);
      assert.match(position, form);
      assert(a === null || a < position, `${a} < ${position}`);
      assert(b === null || position < b, `${position} < ${b}`);
      all.splice(index, 0, position);
    }
  }
});

test('many positions at once ascend between their neighbours', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const random = new Random(seed);
    const edges = [randomPosition(random), randomPosition(random)].sort();
    const a = random.chance(0.3) ? null : edges[0] ?? null;
    const b = random.chance(0.3) || edges[0] === edges[1] ? null : edges[1] ?? null;
    const count = random.below(200);
    const made = positionsBetween(a, b, count);
    assert.equal(made.length, count);
    const row = [...(a === null ? [] : [a]), ...made, ...(b === null ? [] : [b])];
    row.forEach((position, index) => {
      assert.match(position, form);
      const before = row[index - 1];
      assert(before === undefined || before < position, `${before} < ${position}`);
    });
  }
});

test('ten thousand appends or prepends stay within eight digits', () => {
  let last: string | null = null;
  let first: string | null = null;
  for (let made = 0; made < 10_000; made += 1) {
    last = positionBetween(last, null);
    first = positionBetween(null, first);
    assert(last.length <= 8 && first.length <= 8, `${last} and ${first}`);
  }
});

test('a hundred positions in an empty list have two digits', () => {
  assert(positionsBetween(null, null, 100).every((position) => position.length <= 2));
});

test('a long key at the end does not lengthen the keys after it', () => {
  assert.equal(positionBetween('VzzzzzzzK3', null), 'W');
});

test('equal neighbours give a position after them instead of an error', () => {
  assert('V' < positionBetween('V', 'V'));
  assert('b' < positionBetween('b', 'a'));
});

test('an invalid position counts as missing', () => {
  assert.equal(positionBetween(null, '0'), positionBetween(null, null));
  assert.equal(positionBetween('V', 'V!'), positionBetween('V', null));
  assert.equal(positionBetween('', 'V'), positionBetween(null, 'V'));
});

function randomPosition(random: Random): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  for (let length = random.below(6); length > 0; length -= 1) text += digits[random.below(62)];
  return text + digits[1 + random.below(61)];
}
