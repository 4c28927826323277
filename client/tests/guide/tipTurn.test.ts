import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastTipText, mayAppear, parseLastTip } from '../../src/guide/tipTurn';

const hour = 60 * 60 * 1000;
const now = 1_800_000_000_000;
const fresh = { seen: '', last: null, hasPlayed: true };

test('no tip appears before the first play', () => {
  assert.equal(mayAppear('swipe', now, { ...fresh, hasPlayed: false }), false);
  assert.equal(mayAppear('swipe', now, fresh), true);
});

test('a tip that was seen stays away', () => {
  assert.equal(mayAppear('swipe', now, { ...fresh, seen: 'moves,swipe' }), false);
});

test('after one tip no other appears for four hours, and that one stays until it is closed', () => {
  const last = { name: 'swipe', at: now - 3 * hour };
  assert.equal(mayAppear('moves', now, { ...fresh, last }), false);
  assert.equal(mayAppear('swipe', now, { ...fresh, last }), true);
  assert.equal(mayAppear('moves', now + hour, { ...fresh, last }), true);
});

test('a clock that was set back ends the pause', () => {
  assert.equal(mayAppear('moves', now, { ...fresh, last: { name: 'swipe', at: now + hour } }), true);
});

test('the last tip is read as it was stored; anything else is none', () => {
  const last = { name: 'swipe', at: now };
  assert.deepEqual(parseLastTip(lastTipText(last)), last);
  for (const stored of [null, '', 'swipe', 'soon swipe']) assert.equal(parseLastTip(stored), null);
});
