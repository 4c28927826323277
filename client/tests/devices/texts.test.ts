import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHandheld, pageName, platformOf, proposedName } from '../../src/ui/platform';
import { tokenIn } from '../../src/devices/token';
import { fingerprintPairs, lastSeen, timeLeft } from '../../src/devices/format';

const agents = {
  iPhone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  iPad: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  android: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  tablet: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
  linux: 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
};

test('a device proposes a name for itself', () => {
  const name = (userAgent: string, maxTouchPoints = 0): string => proposedName({ userAgent, maxTouchPoints });
  assert.equal(name(agents.iPhone, 5), 'iPhone');
  assert.equal(name(agents.iPad, 5), 'iPad');
  assert.equal(name(agents.iPad, 0), 'Mac');
  assert.equal(name(agents.android, 5), 'Android phone');
  assert.equal(name(agents.tablet, 10), 'Android tablet');
  assert.equal(name(agents.windows, 10), 'Windows computer');
  assert.equal(name(agents.linux), 'Linux computer');
  assert.equal(name(''), 'Linux computer');
});

test('a page is named after its device and browser', () => {
  assert.equal(pageName({ userAgent: agents.iPhone, maxTouchPoints: 5 }), 'iPhone, Safari');
  assert.equal(pageName({ userAgent: agents.windows }), 'Windows computer, Edge');
  assert.equal(pageName({ userAgent: agents.linux }), 'Linux computer, Firefox');
  assert.equal(pageName({ userAgent: agents.android }), 'Android phone, Chrome');
  assert.equal(pageName({ userAgent: 'curl' }), 'Linux computer');
});

test('a touch screen alone does not make a computer a phone', () => {
  assert.equal(isHandheld({ userAgent: agents.windows, maxTouchPoints: 10 }), false);
  assert.equal(isHandheld({ userAgent: agents.iPad, maxTouchPoints: 5 }), true);
  assert.equal(platformOf({ userAgent: agents.android }), 'android');
});

test('a token is found alone, in its address, and in a copied text with blanks', () => {
  const token = 'Ab3_dEf-GhIjKlMnOpQrSt';
  assert.equal(tokenIn(token), token);
  assert.equal(tokenIn(`https://192.168.1.20:7743/pair#${token}`), token);
  assert.equal(tokenIn(` Ab3_dEf-\nGhIjKlMnOpQrSt `), token);
  assert.equal(tokenIn(`#${token}`), token);
});

test('an invalid token is refused', () => {
  for (const text of ['', '#', 'short', 'https://192.168.1.20:7743/pair', 'ü'.repeat(30), 'x'.repeat(129), '../../../../../devices']) {
    assert.equal(tokenIn(text), null, text);
  }
});

test('the time when a device was last seen is formatted in words', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const ago = (milliseconds: number): string => lastSeen(now - milliseconds, now);
  assert.equal(lastSeen(null, now), 'Not seen yet');
  assert.equal(ago(-5_000), 'Online now');
  assert.equal(ago(60_000), 'Online now');
  assert.equal(ago(12 * 60_000 + 30_000), 'Seen 12 minutes ago');
  assert.equal(ago(3_600_000), 'Seen 1 hour ago');
  assert.equal(ago(23 * 3_600_000), 'Seen 23 hours ago');
  assert.equal(ago(25 * 3_600_000), 'Seen yesterday');
  assert.equal(ago(10 * 86_400_000), 'Seen 10 days ago');
  assert.match(ago(90 * 86_400_000), /^Last seen on .*2026/);
});

test('the remaining time of a code counts down to zero and stays there', () => {
  assert.equal(timeLeft(300_000), '5:00');
  assert.equal(timeLeft(61_001), '1:02');
  assert.equal(timeLeft(9_000), '0:09');
  assert.equal(timeLeft(-5), '0:00');
});

test('a fingerprint is formatted in pairs from any format', () => {
  assert.equal(fingerprintPairs('ab:cd:01'), 'AB CD 01');
  assert.equal(fingerprintPairs('abcd01'), 'AB CD 01');
});
