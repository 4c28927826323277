import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetFields, targetPercent } from '../../src/parts/targetSpeed';

test('the target is the recorded speed unless another one is stored', () => {
  assert.equal(targetPercent({}), 100);
  assert.equal(targetPercent({ targetRate: null }), 100);
  assert.deepEqual(targetFields(100), { targetRate: null });
  for (let percent = 25; percent <= 200; percent += 1) assert.equal(targetPercent(targetFields(percent)), percent);
});
