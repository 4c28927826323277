import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandLabel } from '../../src/clipper/stage/bandLabel';
import { reachesOf } from '../../src/clipper/stage/reach';

test('borders far apart have a finger’s width, and close ones leave a third between them', () => {
  assert.deepEqual(reachesOf([]), []);
  assert.deepEqual(reachesOf([10]), [22]);
  assert.deepEqual(reachesOf([0, 100, 200]), [22, 22, 22]);
  assert.deepEqual(reachesOf([0, 48, 200]), [16, 16, 22]);
  // Never so small that a finger could not find them.
  assert.deepEqual(reachesOf([0, 3, 3]), [12, 12, 12]);
});

test('a band shows its name, a shortened name, its number, or nothing', () => {
  const widthOf = (text: string): number => 8 * text.length;
  const label = (title: string, width: number): string => bandLabel(title, 12, width, widthOf).text;
  assert.equal(label('Part 12', 80), 'Part 12');
  assert.equal(label('Part 12', 70), '12');
  assert.equal(label('The chorus after the bridge', 95), 'The chorus after the bridge', 'CSS shortens it');
  assert.equal(label('The chorus after the bridge', 60), '12');
  assert.equal(label('Part 12', 12), '');
});
