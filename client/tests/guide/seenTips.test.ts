import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seenTips, withTip } from '../../src/guide/seenTips';

test('a tip that was seen stays seen, once', () => {
  const once = withTip('', 'swipe');
  assert.deepEqual(seenTips(once), ['swipe']);
  assert.equal(withTip(once, 'swipe'), once);
  assert.deepEqual(seenTips(withTip(once, 'moves')), ['swipe', 'moves']);
});

test('no tip is seen at first, nor after they were asked for again', () => {
  assert.deepEqual(seenTips(''), []);
});
