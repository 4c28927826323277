import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from '../../src/devices/api';
import { guestsOf } from '../../src/devices/guests';

const device = (id: string, invitedBy: string | null): Device => (
  { id, name: id, createdAt: 0, lastSeenAt: null, isThis: false, invitedBy, person: 'owner' }
);
const phone = device('phone', null);
const laptop = device('laptop', 'phone');
const tablet = device('tablet', 'laptop');
const other = device('other', 'gone');
const all = [tablet, laptop, other, phone];

test('the guests of a device include the guests of its guests', () => {
  assert.deepEqual(guestsOf(phone, all), [laptop, tablet]);
  assert.deepEqual(guestsOf(laptop, all), [tablet]);
  assert.deepEqual(guestsOf(other, all), []);
});

test('devices that paired each other are found once', () => {
  const first = device('first', 'second');
  const second = device('second', 'first');
  assert.deepEqual(guestsOf(first, [first, second]), [second]);
});
