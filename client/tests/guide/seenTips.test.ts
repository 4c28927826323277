import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seenTips, withTip } from '../../src/guide/seenTips';

test('a seen tip is stored once', () => {
  const once = withTip('', 'swipe');
  assert.deepEqual(seenTips(once), ['swipe']);
  assert.equal(withTip(once, 'swipe'), once);
  assert.deepEqual(seenTips(withTip(once, 'moves')), ['swipe', 'moves']);
});

test('no tip is seen at first or after a reset', () => {
  assert.deepEqual(seenTips(''), []);
});
