// The run-throughs of a routine, and the one before another.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBefore, runsOf } from '../../src/runThrough/runs';
import type { RunThrough } from '../../src/sync/records';

const run = (id: string, routine: string, startedAt: number): RunThrough => ({
  type: 'runThrough', id, createdAt: 0, routine, startedAt,
});
const runs = [run('a', 'swan', 10), run('b', 'duck', 20), run('c', 'swan', 30), run('d', 'swan', 20)];

test('they are listed by their time, the latest first', () => {
  assert.deepEqual(runsOf(runs, 'swan').map(({ id }) => id), ['c', 'd', 'a']);
});

test('the one before is the latest earlier one of the same routine', () => {
  assert.equal(runBefore(runs, runs[2] as RunThrough)?.id, 'd');
  assert.equal(runBefore(runs, runs[0] as RunThrough), null);
});
