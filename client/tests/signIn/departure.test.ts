import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrivalIn, parsedPurpose, patiently, reasonOfArrival } from '../../src/signIn/departure';
import { ServerError } from '../../src/sync/requests';

test('what a provider has sent is a code with its state, or the kind of a problem', () => {
  assert.deepEqual(arrivalIn('?code=a%2Bb&state=c&session_state=d'), { code: 'a+b', state: 'c' });
  assert.deepEqual(arrivalIn('?state=c&code=a&iss=https%3A%2F%2Fid.example'), { code: 'a', state: 'c', iss: 'https://id.example' });
  assert.equal(arrivalIn('?error=access_denied&state=c'), 'access_denied');
  assert.deepEqual(['', '?code=a', '?state=c'].map(arrivalIn), ['', '', '']);
  // Anybody can make such an address, and its text would be shown.
  assert.equal(arrivalIn(`?error=${encodeURIComponent('Call 555 0100 now')}&state=c`), '');
});

test('who comes back without a known purpose signs in, and does not stay', () => {
  assert.deepEqual(parsedPurpose('{"person":"p1"}'), { person: 'p1' });
  assert.deepEqual(parsedPurpose('{"stays":true}'), { stays: true });
  for (const stored of ['', 'null', '7', '{"stays":"true"}', '{"person":7}', '{']) assert.deepEqual(parsedPurpose(stored), { stays: false });
});

test('what the server has no room for is tried again, for a while, and all else is said at once', async () => {
  const tries = async (refusals: readonly number[]): Promise<string> => {
    const [left, events] = [[...refusals], [] as string[]];
    const work = async (): Promise<void> => {
      events.push('try');
      const status = left.shift();
      if (status !== undefined) throw new ServerError(status, String(status));
    };
    await patiently(work, async () => void events.push('pause')).catch((failure: unknown) => events.push((failure as ServerError).message));
    return events.join(' ');
  };
  assert.equal(await tries([]), 'try');
  assert.equal(await tries([503, 503]), 'try pause try pause try');
  assert.equal(await tries([503, 403]), 'try pause try 403');
  assert.equal(await tries([502]), 'try 502');
  assert.equal(await tries(Array.from({ length: 9 }, () => 503)), `${'try pause '.repeat(7)}try 503`);
});

test('why somebody is not let in is said by the kind of the refusal', () => {
  const said = (status: number, code: string | null): string => reasonOfArrival(new ServerError(status, 'as the server says', true, code));
  assert.match(said(403, 'account'), /^Nobody here has this account/);
  assert.match(said(403, 'credentials'), /^This took too long/);
  assert.match(said(502, null), /can’t be asked/);
  assert.equal(said(403, null), 'as the server says');
  assert.equal(said(409, null), 'as the server says');
});
