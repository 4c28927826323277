// What the caller says when.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announced, callsOf, type CalledPart } from '../../src/parts/calls';
import type { Move } from '../../src/sync/records';

const stretch = { startFrame: 48_000, endFrame: 480_000 };

/** A grid at 120 beats a minute whose part has its count 0 on `origin`; it begins at the track's beginning. */
const gridFrom = (origin: number): NonNullable<CalledPart['grid']> => ({
  frameAt: (count) => {
    const frame = origin + count * 24_000;
    return frame < -24_000 || frame > 960_000 ? null : Math.max(0, frame);
  },
  period: () => 24_000,
});

const move = (title: string, startCount: number | null): Move => ({ id: title, title, startCount } as Move);

const part = (moves: readonly Move[], changes: Partial<CalledPart> = {}): CalledPart => ({
  title: 'Part', moves, grid: gridFrom(48_000), stretch, shift: 0, ...changes,
});

const voices = { move: ({ title }: Move) => `move ${title}`, part: (title: string) => `part ${title}` };

test('a move is called so many counts ahead', () => {
  assert.deepEqual(callsOf([part([move('Turn', 8), move('Jump', 10.5)])], 4, voices, false), [
    { frame: 240_000, calledFrame: 144_000, address: 'move Turn' },
    { frame: 300_000, calledFrame: 204_000, address: 'move Jump' },
  ]);
});

test('before the track the counts go on in its first tempo', () => {
  const [first] = callsOf([part([move('Turn', 0)])], 8, voices, false);
  assert.deepEqual(first, { frame: 48_000, calledFrame: -144_000, address: 'move Turn' });
});

test('moves without counts, outside of the part, or in a song without counts are not called', () => {
  const moves = [move('A', null), move('B', -4), move('C', 18), move('D', 1_000)];
  assert.deepEqual(callsOf([part(moves)], 4, voices, false), []);
  assert.deepEqual(callsOf([part([move('Turn', 8)], { grid: null })], 4, voices, false), []);
});

test('a move just before the border begins with the part', () => {
  const grid = gridFrom(43_000);
  assert.deepEqual(callsOf([part([move('Turn', 0)], { grid })], 1, voices, false), [
    { frame: 48_000, calledFrame: 19_000, address: 'move Turn' },
  ]);
});

test('in a run parts are called, twice as far ahead, and all frames are those of the run', () => {
  const second = part([move('Jump', 0)], { title: 'Chorus', shift: 432_000 - 48_000 });
  assert.deepEqual(callsOf([part([move('Turn', 8)], { shift: -48_000 }), second], 4, voices, true), [
    { frame: 0, calledFrame: -192_000, address: 'part Part' },
    { frame: 192_000, calledFrame: 96_000, address: 'move Turn' },
    { frame: 432_000, calledFrame: 240_000, address: 'part Chorus' },
    { frame: 432_000, calledFrame: 336_000, address: 'move Jump' },
  ]);
});

test('a part of a run without counts is called in seconds', () => {
  const [call] = callsOf([part([], { grid: null, shift: -48_000 })], 4, voices, true);
  assert.deepEqual(call, { frame: 0, calledFrame: -192_000, address: 'part Part' });
});

test('an announcement comes before the start, among the calls in order', () => {
  const calls = [10, 20, 30].map((frame) => ({ frame, calledFrame: frame - 5, address: String(frame) }));
  const made = announced('said', calls, 20);
  assert.deepEqual(made.map(({ address }) => address), ['10', 'said', '20', '30']);
  assert.equal((made[1]?.calledFrame ?? 0) < -480_000, true);
});
