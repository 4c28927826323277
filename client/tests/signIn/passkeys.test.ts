import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64url, bytesOf } from '../../src/signIn/base64url';
import { canHavePasskeys } from '../../src/signIn/passkeys';

test('base64url has no signs that addresses escape, and every length comes back', () => {
  assert.equal(base64url(new Uint8Array([251, 255, 190]).buffer), '-_--');
  assert.equal(base64url(new Uint8Array([255]).buffer), '_w');
  for (let length = 0; length < 70; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => index * 37 % 256);
    assert.deepEqual(bytesOf(base64url(bytes.buffer)), bytes);
  }
});

test('passkeys belong to names, not to addresses of numbers or to this machine', () => {
  assert.deepEqual(['studio.example', 'studio.local'].map(canHavePasskeys), [true, true]);
  assert.deepEqual(['192.168.1.20', 'localhost', '[fe80::1]', '::1'].map(canHavePasskeys), [false, false, false, false]);
});
