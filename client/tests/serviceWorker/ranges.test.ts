// Byte ranges of kept videos.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeOf, stretchAt } from '../../src/serviceWorker/ranges';
import { Random } from '../sync/support/random';

test('a range is parsed as RFC 9110 defines it', () => {
  assert.deepEqual(rangeOf('bytes=0-', 100), { start: 0, end: 100 });
  assert.deepEqual(rangeOf('bytes=10-19', 100), { start: 10, end: 20 });
  assert.deepEqual(rangeOf('bytes=90-500', 100), { start: 90, end: 100 });
  assert.deepEqual(rangeOf('bytes=-10', 100), { start: 90, end: 100 });
  assert.deepEqual(rangeOf('bytes=-500', 100), { start: 0, end: 100 });
});

test('a range after the end is refused and an invalid range is ignored', () => {
  assert.equal(rangeOf('bytes=100-', 100), 'none');
  assert.equal(rangeOf('bytes=-0', 100), 'none');
  for (const header of [null, '', 'bytes=', 'bytes=-', 'bytes=5-4', 'bytes=0-1,3-4', 'frames=0-1', 'bytes=a-b']) {
    assert.equal(rangeOf(header, 100), null);
  }
});

test('the pieces give the exact bytes of any range in order', () => {
  const random = new Random(3);
  for (let round = 0; round < 500; round += 1) {
    const bytes = 1 + random.below(200);
    const pieceBytes = 1 + random.below(40);
    const whole = Array.from({ length: bytes }, (_, at) => at);
    const start = random.below(bytes);
    const range = { start, end: start + 1 + random.below(bytes - start) };
    const got: number[] = [];
    for (let next = range.start; next < range.end;) {
      const stretch = stretchAt(next, range, pieceBytes);
      const piece = whole.slice(stretch.piece * pieceBytes, (stretch.piece + 1) * pieceBytes);
      got.push(...piece.slice(stretch.start, stretch.end));
      next += stretch.end - stretch.start;
    }
    assert.deepEqual(got, whole.slice(range.start, range.end));
  }
});
