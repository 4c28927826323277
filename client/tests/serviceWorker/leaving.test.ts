// Requests that the service worker leaves for the next version.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leavable, leaveUnanswered } from '../../src/serviceWorker/leaving';

function setNow(milliseconds: number): void {
  globalThis.performance = { now: () => milliseconds } as Performance;
}

test('a failure is passed on', async () => {
  await assert.rejects(leavable(Promise.reject(new RangeError('no'))), RangeError);
});

test('what has no answer yet is left, and for some seconds what begins then', async () => {
  const silent = leavable(new Promise<never>(() => undefined));
  assert.equal(await leavable(Promise.resolve('done')), 'done');
  const real = performance;
  try {
    setNow(1_000);
    leaveUnanswered();
    await assert.rejects(silent, TypeError);
    setNow(3_999);
    await assert.rejects(leavable(Promise.resolve('too early')), TypeError);
    setNow(4_000);
    assert.equal(await leavable(Promise.resolve('later')), 'later');
  } finally {
    globalThis.performance = real;
  }
});
