// A browser without Intl.Segmenter, such as Firefox before 125.
import assert from 'node:assert/strict';
import { test } from 'node:test';

test('a browser without Intl.Segmenter starts and counts code points', async () => {
  const real = Intl.Segmenter;
  Object.defineProperty(Intl, 'Segmenter', { configurable: true, writable: true, value: undefined });
  try {
    const { characterCount, excess } = await import('../../src/sync/validation');
    assert.equal(characterCount('Été 🎵'), 5);
    assert.equal(excess('x'.repeat(61), 60), 'Too long: at most 60 characters.');
  } finally {
    Object.defineProperty(Intl, 'Segmenter', { configurable: true, writable: true, value: real });
  }
});
