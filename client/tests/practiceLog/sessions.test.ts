import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastPractised } from '../../src/practiceLog/sessions';

const minute = 60_000;
const now = 1_800_000_000_000;
/** An entry that began so many minutes ago, and of which so many minutes were heard. */
const entry = (minutesAgo: number, minutes: number) => (
  { startedAt: now - minutesAgo * minute, heard: `part 0 480000 1 ${minutes * 60} 100 1` }
);

test('without practice there is no last one', () => {
  assert.equal(lastPractised([], now), null);
  assert.equal(lastPractised([entry(5, 3)], now), null);
});

test('the session that is going on does not count', () => {
  const entries = [entry(5, 3), entry(80, 20), entry(2_000, 30), entry(2_030, 20)];
  assert.equal(lastPractised(entries, now), now - 1_970 * minute);
  assert.equal(lastPractised([...entries].reverse(), now), now - 1_970 * minute);
});

test('a session that ended a while ago is the last one', () => {
  assert.equal(lastPractised([entry(300, 20), entry(2_000, 30)], now), now - 280 * minute);
});

test('an entry ends before the next one begins, and those of a clock that was ahead are left out', () => {
  assert.equal(lastPractised([entry(-50, 3), entry(10, 3), entry(101, 200)], now), now - 10 * minute);
  assert.equal(lastPractised([{ startedAt: now - 200 * minute, heard: null }], now), now - 200 * minute);
});
