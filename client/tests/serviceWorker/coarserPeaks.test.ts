// Coarser waveforms, derived from the kept one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coarserPeaks } from '../../src/serviceWorker/coarserPeaks';
import { parsePeaks } from '../../src/ui/peaks';
import { Random } from '../sync/support/random';

function dat(framesPerPixel: number, pairs: readonly number[]): ArrayBuffer {
  const data = new ArrayBuffer(24 + pairs.length);
  const view = new DataView(data);
  [2, 1, 48_000, framesPerPixel, pairs.length / 2, 1].forEach((value, at) => view.setInt32(at * 4, value, true));
  new Int8Array(data, 24).set(pairs);
  return data;
}

test('each pair is the minimum and maximum of the pairs that it covers', () => {
  const made = coarserPeaks(dat(64, [-1, 1, -5, 2, -3, 9, -128, 127, -2, 4]), 128, null, null);
  assert(made);
  const { framesPerPixel, pairs } = parsePeaks(made);
  assert.equal(framesPerPixel, 128);
  assert.deepEqual([...pairs], [-5, 2, -128, 127, -2, 4]);
});

test('a range equals the same range of the whole waveform', () => {
  const random = new Random(5);
  const pairs = Array.from({ length: 2 * 333 }, (_, at) => (at % 2 === 0 ? -random.below(129) : random.below(128)));
  const fine = dat(64, pairs);
  for (const framesPerPixel of [64, 192, 256, 1_024]) {
    const all = coarserPeaks(fine, framesPerPixel, null, null);
    assert(all);
    const whole = parsePeaks(all).pairs;
    const count = whole.length / 2;
    for (let round = 0; round < 20; round += 1) {
      const start = random.below(count);
      const end = start + 1 + random.below(count - start);
      const made = coarserPeaks(fine, framesPerPixel, start * framesPerPixel, end * framesPerPixel);
      assert(made);
      assert.deepEqual([...parsePeaks(made).pairs], [...whole.subarray(start * 2, end * 2)]);
    }
  }
});

test('requests that the kept waveform cannot answer, and invalid ones, go to the server', () => {
  const fine = dat(64, [-1, 1, -5, 2]);
  assert.equal(coarserPeaks(fine, 32, null, null), null);
  assert.equal(coarserPeaks(fine, 100, null, null), null);
  assert.equal(coarserPeaks(fine, 64, 0, 192), null);
  assert.equal(coarserPeaks(fine, 2 ** 21, null, null), null, 'wider than the server makes them');
  assert.equal(coarserPeaks(fine, 2 ** 38, null, null), null, 'wider than a file can say');
  assert.equal(coarserPeaks(fine, 64, 64, 64), null);
  assert.equal(coarserPeaks(fine, 64, 10, 64), null);
  assert.equal(coarserPeaks(new ArrayBuffer(3), 64, null, null), null);
  assert.equal(coarserPeaks(fine.slice(0, 26), 64, null, null), null);
});
