// All 65,536 values, as returned by both kinds of decoders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restoreSixteenBit } from '../../src/audio/sixteenBit';

for (const divisor of [32_767, 32_768]) {
  test(`every 16-bit value is restored when positive values were divided by ${divisor}`, () => {
    const decoded = new Float32Array(65_536);
    const stored = new Float32Array(65_536);
    for (let k = -32_768; k < 32_768; k += 1) {
      decoded[k + 32_768] = k / (k > 0 ? divisor : 32_768);
      stored[k + 32_768] = k / 32_768;
    }
    restoreSixteenBit(decoded);
    assert.deepEqual(decoded, stored);
  });
}
