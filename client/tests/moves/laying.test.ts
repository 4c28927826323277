import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsText, endOf, inserted, laid, moveAt, readCounts, reordered, type LaidMove } from '../../src/moves/laying';

const row = (...starts: (number | null | [number, number])[]): LaidMove[] => starts.map((start, at) => ({
  id: 'abcdefgh'[at] ?? '', startCount: Array.isArray(start) ? start[0] : start,
  countLength: Array.isArray(start) ? start[1] : null,
}));
const starts = (changes: ReadonlyMap<string, { startCount: number | null }>): [string, number | null][] => (
  [...changes].map(([id, { startCount }]) => [id, startCount])
);

test('a move ends after its length, or where the next one begins', () => {
  const moves = row(0, [4, 2], null, 8, null);
  assert.deepEqual(moves.map((_, at) => endOf(moves, at)), [4, 6, null, null, null]);
});

test('a move is danced from its beginning up to its end', () => {
  const moves = row([-2, 1], 0, [4, 2], 8);
  const at = (count: number): number => moveAt(moves, count);
  assert.deepEqual([-3, -2, -1, -0.5, 0, 3.9, 4, 5.9, 6, 7.9, 8, 900].map(at), [-1, 0, -1, -1, 1, 1, 2, 2, -1, -1, 3, 3]);
  assert.equal(moveAt(row(null, null), 0), -1);
  // The later of two that begin together.
  assert.equal(moveAt(row(0, 0, 4), 1), 1);
});

test('a move pushes those that follow by as much as its end moves, if it is to', () => {
  const moves = row([0, 4], [4, 4], null, [8, 4]);
  assert.deepEqual(starts(laid(moves, 'b', { startCount: 4, countLength: 6 }, true)), [['b', 4], ['d', 10]]);
  assert.deepEqual(starts(laid(moves, 'b', { startCount: 4, countLength: 6 }, false)), [['b', 4]]);
  assert.deepEqual(starts(laid(moves, 'a', { startCount: 0.5, countLength: 4 }, true)), [['a', 0.5], ['b', 4.5], ['d', 8.5]]);
  // Taken away, it leaves its room to them.
  assert.deepEqual(starts(laid(moves, 'a', { startCount: null, countLength: null }, true)), [['a', null], ['b', 0], ['d', 4]]);
  // Inserted, it needs room.
  assert.deepEqual(starts(laid(moves, 'c', { startCount: 4, countLength: 2 }, true)), [['c', 4], ['b', 6], ['d', 10]]);
});

test('moves in another order take their counts along, and the row begins where it began', () => {
  const before = row([1, 4], [5, 2], null, [8, 8], [20, 4]);
  const order = (ids: string): LaidMove[] => [...ids].map((id) => before.find((move) => move.id === id) as LaidMove);
  assert.deepEqual(starts(reordered(before, before)), []);
  assert.deepEqual(starts(reordered(before, order('bacde'))), [['b', 1], ['a', 4]]);
  // With its gap: d took twelve counts up to e.
  assert.deepEqual(starts(reordered(before, order('dabce'))), [['d', 1], ['a', 13], ['b', 17]]);
  assert.deepEqual(starts(reordered(before, order('cabde'))), []);
  assert.deepEqual(starts(reordered(row(null, null), row(null, null).reverse())), []);
});

test('counts are written with their last one', () => {
  const at = (eight: number, count: number, fraction = 0) => ({ eight, count, fraction });
  assert.equal(countsText(at(1, 1), at(1, 4, 0.5)), '1–4');
  assert.equal(countsText(at(2, 5), at(2, 5, 0.5)), '5');
  assert.equal(countsText(at(1, 3, 0.5), at(1, 5)), '3&–5');
  assert.equal(countsText(at(1, 7), at(2, 2, 0.5)), '7–2');
  assert.equal(countsText(at(1, 8), null), '8');
});

test('counts are read as dancers write them', () => {
  const read = (first: number, isBetween: boolean, last: number | null) => ({ first, isBetween, last });
  for (const [text, expected] of [
    ['1–4', read(1, false, 4)], ['5-8', read(5, false, 8)], [' 7 - 2 ', read(7, false, 2)], ['3', read(3, false, null)],
    ['3&', read(3, true, null)], ['& of 3', read(3, true, null)], ['and of 3', read(3, true, null)], ['3& – 5', read(3, true, 5)],
  ] as const) assert.deepEqual(readCounts(text), expected, text);
  for (const text of ['', '-', 'x', '1-', '-4', '1-4-5', '123', '1.5', '& of', '１–４']) assert.equal(readCounts(text), null, text);
});

test('a move that is put into a gap fills it, or pushes by what it lacks', () => {
  const moves: readonly LaidMove[] = [
    { id: 'a', startCount: 0, countLength: 4 }, { id: 'b', startCount: 6, countLength: null }, { id: 'c', startCount: 12, countLength: 2 },
    { id: 'd', startCount: null }, { id: 'new', startCount: null },
  ];
  const at = (start: number, isPushing: boolean): [string, number | null, number | null][] => (
    [...inserted(moves, 'new', start, isPushing)].map(([id, lay]) => [id, lay.startCount, lay.countLength])
  );
  assert.deepEqual(at(4, false), [['new', 4, 2]]);
  assert.deepEqual(at(4, true), [['new', 4, 4], ['b', 8, null], ['c', 14, 2]]);
  assert.deepEqual(at(14, true), [['new', 14, 4]]);
  assert.deepEqual(at(14, false), [['new', 14, 4]]);
  assert.deepEqual(at(5.75, false), [['new', 5.75, 0.5]]);
});
