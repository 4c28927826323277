import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mustForget } from '../../src/offline/forgetting';

const inside = { unpaired: false, waiting: 0 };

test('a browser that stays forgets nothing', () => {
  assert.equal(mustForget(null, { unpaired: true, waiting: 0 }, 10), false);
});

test('the others forget when the time is over, or once they have no access any more', () => {
  assert.equal(mustForget(10, inside, 9), false);
  assert.equal(mustForget(10, inside, 10), true);
  assert.equal(mustForget(10, { unpaired: true, waiting: 0 }, 9), true);
});

test('but nothing while changes are not sent', () => {
  assert.equal(mustForget(10, { unpaired: true, waiting: 1 }, 99), false);
});
