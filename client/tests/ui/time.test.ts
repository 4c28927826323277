import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clock, clockWithTenths, framesOf, spokenTime } from '../../src/ui/time';

test('a position is formatted as minutes and seconds, rounded down', () => {
  assert.equal(clock(0), '0:00');
  assert.equal(clock(framesOf(59.99)), '0:59');
  assert.equal(clock(framesOf(61)), '1:01');
  assert.equal(clock(framesOf(3600)), '1:00:00');
  assert.equal(clock(framesOf(3 * 3600 + 5 * 60 + 7)), '3:05:07');
  assert.equal(clock(-1), '0:00');
});

test('a marker is formatted with tenths, also just before a full second', () => {
  assert.equal(clockWithTenths(framesOf(0.95)), '0:00.9');
  assert.equal(clockWithTenths(47_999), '0:00.9');
  assert.equal(clockWithTenths(48_000), '0:01.0');
  assert.equal(clockWithTenths(framesOf(61.25)), '1:01.2');
});

test('a length is formatted in words', () => {
  assert.equal(spokenTime(framesOf(0.4)), '0 seconds');
  assert.equal(spokenTime(framesOf(61)), '1 minute 1 second');
  assert.equal(spokenTime(framesOf(7200)), '2 hours');
});
