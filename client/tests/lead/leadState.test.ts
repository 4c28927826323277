// Where a leader is at another moment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aheadBy, placeAt, readLead, type LeadState } from '../../src/lead/leadState';
import { plain, seeded } from './support';

const whole = { startFrame: 0, endFrame: 480_000, turnsWithoutGap: false };

test('a leader moves on at the speed', () => {
  assert.deepEqual(placeAt(plain, whole, 2_000), { kind: 'playing', frame: 96_000 });
  assert.deepEqual(placeAt({ ...plain, percent: 50 }, whole, 2_000), { kind: 'playing', frame: 72_000 });
  // What was told may be a little ahead of the clock here.
  assert.deepEqual(placeAt(plain, whole, 990), { kind: 'playing', frame: 47_520 });
  assert.deepEqual(placeAt({ ...plain, state: 'still' }, whole, 9_000), { kind: 'still', frame: 48_000 });
});

test('a countdown runs out into the music', () => {
  const counting: LeadState = { ...plain, state: 'countdown', framesLeft: 96_000, percent: 200 };
  assert.deepEqual(placeAt(counting, whole, 2_000), { kind: 'countdown', frame: 48_000, framesLeft: 48_000 });
  assert.deepEqual(placeAt(counting, whole, 4_000), { kind: 'playing', frame: 144_000 });
});

test('past the end a loop goes round, and otherwise one waits for what is told', () => {
  const loop = { startFrame: 40_000, endFrame: 60_000, turnsWithoutGap: true };
  assert.deepEqual(placeAt(plain, loop, 1_500), { kind: 'playing', frame: 52_000 });
  assert.deepEqual(placeAt(plain, { ...loop, turnsWithoutGap: false }, 1_500), { kind: 'between' });
  assert.deepEqual(placeAt({ ...plain, state: 'resting' }, loop, 1_500), { kind: 'between' });
});

test('in any loop at any speed, two places at two moments are as far apart as the clock moved', () => {
  const random = seeded(3);
  for (let trial = 0; trial < 2_000; trial += 1) {
    const startFrame = Math.floor(random() * 1e6);
    const loop = { startFrame, endFrame: startFrame + 4_800 + Math.floor(random() * 1e6), turnsWithoutGap: true };
    const percent = 25 + Math.floor(random() * 176);
    const state = { ...plain, percent, frame: startFrame + Math.floor(random() * (loop.endFrame - startFrame)) };
    const at = 1_000 + random() * 600_000;
    const [one, other] = [placeAt(state, loop, at), placeAt(state, loop, at + 7)];
    assert(one.kind === 'playing' && other.kind === 'playing');
    assert(one.frame >= loop.startFrame && one.frame < loop.endFrame);
    assert(Math.abs(aheadBy(other.frame, one.frame, loop, percent) - 7) < 1e-6);
    // Told anew on the way, it is the same.
    const later = placeAt({ ...state, frame: one.frame, at }, loop, at + 5_000);
    const same = placeAt(state, loop, at + 5_000);
    assert(later.kind === 'playing' && same.kind === 'playing');
    assert(Math.abs(aheadBy(later.frame, same.frame, loop, percent)) < 1e-6);
  }
});

test('only what the server can have sent is read', () => {
  const told = { routine: 'r', client: 'c', number: 1, person: 'p', name: 'Ana', followers: 2, note: 'up', state: plain };
  assert.deepEqual(readLead(told), { ...told, device: null });
  const { markerA: _a, markerB: _b, ...bare } = plain;
  assert.deepEqual(readLead({ ...told, state: bare })?.state, plain);
  for (const bad of [null, 5, {}, { ...told, state: null }, { ...told, routine: 5 }, { ...told, number: '1' }]) {
    assert.equal(readLead(bad), null);
  }
  for (const field of [{ percent: 20 }, { state: 'dancing' }, { at: '5' }, { loopMode: 'x' }, { frame: null }]) {
    assert.equal(readLead({ ...told, state: { ...plain, ...field } }), null);
  }
});
