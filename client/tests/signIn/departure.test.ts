import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrivalIn, parsedPurpose } from '../../src/signIn/departure';

test('what a provider has sent is a code with its state, or the kind of a problem', () => {
  assert.deepEqual(arrivalIn('?code=a%2Bb&state=c&session_state=d'), { code: 'a+b', state: 'c' });
  assert.deepEqual(arrivalIn('?state=c&code=a&iss=https%3A%2F%2Fid.example'), { code: 'a', state: 'c', iss: 'https://id.example' });
  assert.equal(arrivalIn('?error=access_denied&state=c'), 'access_denied');
  assert.deepEqual(['', '?code=a', '?state=c'].map(arrivalIn), ['', '', '']);
});

test('who comes back without a known purpose signs in, and does not stay', () => {
  assert.deepEqual(parsedPurpose('{"person":"p1"}'), { person: 'p1' });
  assert.deepEqual(parsedPurpose('{"stays":true}'), { stays: true });
  for (const stored of ['', 'null', '7', '{"stays":"true"}', '{"person":7}', '{']) assert.deepEqual(parsedPurpose(stored), { stays: false });
});
