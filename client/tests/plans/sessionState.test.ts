// Where a led session stands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionKey } from '../../src/player/keys';
import { sessionAfter, sessionStart, type SessionAction } from '../../src/plans/sessionState';

const after = (actions: readonly SessionAction[], steps = 3) => (
  actions.reduce((state, action) => sessionAfter(state, action, steps), sessionStart));

const next = { kind: 'next' } as const;
const longer = { kind: 'longer' } as const;
const again = { kind: 'again', hasBegun: true } as const;
const back = { kind: 'again', hasBegun: false } as const;

test('steps follow each other, and the end stays the end', () => {
  assert.equal(after([next]).at, 1);
  assert.deepEqual(after([next, next, next, next, next]), after([next, next, next]));
  assert.equal(after([next, next, next]).at, 3);
});

test('again is a new start of the step, and of the one before while nothing was heard', () => {
  assert.deepEqual(after([next, again]), { at: 1, attempt: 2, extraPasses: 0 });
  assert.deepEqual(after([next, back]), { at: 0, attempt: 2, extraPasses: 0 });
  assert.deepEqual(after([back]), { at: 0, attempt: 1, extraPasses: 0 });
});

test('again after the end plays the last step', () => {
  assert.equal(after([next, next, next, again]).at, 2);
  assert.equal(after([next, next, next, back]).at, 2);
});

test('longer adds passes to this step alone', () => {
  assert.deepEqual(after([longer, longer]), { at: 0, attempt: 0, extraPasses: 4 });
  assert.equal(after([longer, next]).extraPasses, 0);
  assert.equal(after([next, next, next, longer]).extraPasses, 0);
});

test('a pedal turns steps like pages', () => {
  const press = (key: string, changes = {}) => sessionKey({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...changes });
  assert.deepEqual(
    ['PageDown', 'ArrowRight', 'PageUp', 'ArrowLeft', '+', ' ', 'Escape', 'a'].map((key) => press(key)),
    ['next', 'next', 'again', 'again', 'longer', 'toggle', 'end', null]);
  assert.equal(press('ArrowRight', { altKey: true }), null);
});
