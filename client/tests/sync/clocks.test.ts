// Time stamps and ids: order and format.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdMaker } from '../../src/sync/ids';
import { newDevice, StampClock } from '../../src/sync/stamp';
import { Random } from './support/random';

test('stamps ascend while the wall clock stops, jumps back and advances', () => {
  const random = new Random(7);
  let now = 1_700_000_000_000;
  const clock = new StampClock('0000beef', () => now);
  let last = '';
  for (let made = 0; made < 70_000; made += 1) {
    if (random.chance(0.001)) now += random.below(2_000) - 1_000;
    const stamp = clock.next();
    assert.match(stamp, /^\d{13}-[0-9a-f]{4}-0000beef$/);
    assert(last < stamp, `${last} < ${stamp}`);
    last = stamp;
  }
});

test('the counter of a millisecond overflows into the next one', () => {
  const clock = new StampClock('0000beef', () => 1_700_000_000_000);
  clock.observe('1700000000000-ffff-00000001');
  assert.equal(clock.next(), '1700000000001-0000-0000beef');
});

test('a stamp is later than every observed one, even from a clock far ahead', () => {
  const clock = new StampClock('0000beef', () => 1_700_000_000_000);
  clock.observe('1800000000000-0007-ffffffff');
  assert.equal(clock.next(), '1800000000000-0008-0000beef');
  clock.observe('1600000000000-0001-ffffffff');
  clock.observe('1800000000000-0001-ffffffff');
  clock.observe('no stamp');
  assert.equal(clock.next(), '1800000000000-0009-0000beef');
});

test('a device has eight hex digits', () => {
  assert.match(newDevice(new Random(3).bytes), /^[0-9a-f]{8}$/);
});

test('ids are UUIDs of version 7 and ascend, even within a millisecond', () => {
  const random = new Random(5);
  let now = 1_700_000_000_000;
  const ids = new IdMaker(() => now, random.bytes);
  let last = '';
  for (let made = 0; made < 20_000; made += 1) {
    if (random.chance(0.0005)) now += random.below(20) - 5;
    const id = ids.next();
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert(last < id, `${last} < ${id}`);
    last = id;
  }
  assert.equal(parseInt(last.slice(0, 8) + last.slice(9, 13), 16) >= 1_700_000_000_000, true);
});
