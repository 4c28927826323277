import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draggedLength, draggedStart, freeCount, segmentsOf, type EightRow } from '../../src/moves/eights';

const rows: readonly EightRow[] = [
  { eight: 0, start: -3, indent: 5, length: 3 }, { eight: 1, start: 0, indent: 0, length: 8 }, { eight: 2, start: 8, indent: 0, length: 4 },
];

test('a move has a segment in each row that it reaches', () => {
  const moves = [
    { id: 'a', startCount: -2, countLength: 4 }, { id: 'b', startCount: null }, { id: 'c', startCount: 6.5, countLength: null },
  ];
  const [pickUp, first, second] = rows.map((row) => segmentsOf(moves, row, 12));
  assert.deepEqual(pickUp, [{ at: 0, start: -2, end: 0, isFirst: true, isLast: false }]);
  assert.deepEqual(first, [
    { at: 0, start: 0, end: 2, isFirst: false, isLast: true }, { at: 2, start: 6.5, end: 8, isFirst: true, isLast: false },
  ]);
  assert.deepEqual(second, [{ at: 2, start: 8, end: 12, isFirst: false, isLast: true }]);
});

test('a dragged move stays on whole counts, or on its own &, and in its part', () => {
  assert.equal(draggedStart(0, 2.4, rows), 2);
  assert.equal(draggedStart(2.5, 1.6, rows), 4.5);
  assert.equal(draggedStart(0, -90, rows), -3);
  assert.equal(draggedStart(0, 90, rows), 11);
  assert.equal(draggedStart(5, 1, []), 5);
});

test('a dragged end stays on halves, at least one after the beginning', () => {
  assert.deepEqual([1.3, 0.2, -3.6, -90].map((by) => draggedLength(4, by)), [5.5, 4, 0.5, 0.5]);
});

test('a move may begin on a free count, or on its & where another one ends', () => {
  const moves = [{ id: 'a', startCount: 0, countLength: 2.5 }, { id: 'b', startCount: 4, countLength: 2 }];
  const first: EightRow = { eight: 1, start: 0, indent: 0, length: 8 };
  const free = (count: number): number | null => freeCount(first, segmentsOf(moves, first, 12), count);
  assert.deepEqual([0, 2, 3, 4, 6, 7, 8, -1].map(free), [null, 2.5, 3, null, 6, 7, null, null]);
});
