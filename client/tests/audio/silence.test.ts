// The silent file decodes to ten seconds of silence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentWAV } from '../../src/audio/silence';

test('the header of the silent file is correct', () => {
  const bytes = silentWAV();
  const view = new DataView(bytes);
  assert.equal(new TextDecoder().decode(bytes.slice(0, 4)), 'RIFF');
  assert.equal(view.getUint32(4, true), bytes.byteLength - 8);
  assert.equal(view.getUint32(40, true), 80_000);
  assert(new Uint8Array(bytes, 44).every((value) => value === 128));
});
