import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LaidMove } from '../../src/moves/laying';
import { shownMoves, stageContent, wholeLoop, type CountLoop, type StageMoment } from '../../src/stageView/shownMoves';

const row = (...starts: (number | null | [number, number])[]): LaidMove[] => starts.map((start, at) => ({
  id: 'abcdefgh'[at] ?? '', startCount: Array.isArray(start) ? start[0] : start,
  countLength: Array.isArray(start) ? start[1] : null,
}));
const at = (moves: readonly LaidMove[], loop: CountLoop | null, ...counts: number[]): [number, number][] => counts.map((count) => {
  const { current, next } = shownMoves(moves, count, loop);
  return [current, next];
});

test('the next move is the one after the move that is danced', () => {
  const moves = row([0, 4], [4, 4], [10, 4]);
  assert.deepEqual(at(moves, null, -Infinity, -2, 0, 3.9, 4, 8, 10, 14, Infinity), [
    [-1, 0], [-1, 0], [0, 1], [0, 1], [1, 2], [-1, 2], [2, -1], [-1, -1], [-1, -1],
  ]);
});

test('a count that is a frame short is the count that is meant', () => {
  assert.deepEqual(at(row([0, 4], [4, 4]), null, 3.9999, -0.0001), [[1, -1], [0, 1]]);
});

test('a move without counts is the next one after the move that it follows, and never the current one', () => {
  assert.deepEqual(at(row(null, [0, 4], null, [8, 4], null), null, -1, 0, 5, 8, 13), [[-1, 0], [1, 2], [-1, 2], [3, 4], [-1, 4]]);
});

test('in a loop the first move follows the last one', () => {
  const moves = row([0, 4], [4, 4], [8, 4], [12, 4]);
  assert.deepEqual(at(moves, { start: 4, end: 12 }, 4, 8, 11.9), [[1, 2], [2, 1], [2, 1]]);
  // A single move follows itself, and so does the one in whose middle the loop begins.
  assert.deepEqual(at(moves, { start: 4, end: 8 }, 4, 7), [[1, 1], [1, 1]]);
  assert.deepEqual(at(moves, { start: 6, end: 14 }, 6, 12), [[1, 2], [3, 1]]);
  // The last frame of a loop is not yet the move after it.
  assert.deepEqual(at(moves, { start: 4, end: 12 }, 11.99995), [[2, 1]]);
  // Markers are whole frames, and their counts a little off.
  assert.deepEqual(at(moves, { start: 3.9999, end: 8.0001 }, 4), [[1, 1]]);
  assert.deepEqual(at(moves, wholeLoop, 12, 17), [[3, 0], [-1, 0]]);
  // A loop that begins between moves, and one without any.
  assert.deepEqual(at(row([0, 2], [4, 4], [8, 4]), { start: 2, end: 8 }, 5), [[1, 1]]);
  assert.deepEqual(at(row([0, 4], [20, 4]), { start: 8, end: 16 }, 9), [[-1, -1]]);
  // Those without counts belong to it as long as one with counts follows in it.
  assert.deepEqual(at(row([0, 4], null, [8, 4], null), { start: 0, end: 12 }, 1, 9), [[0, 1], [2, 0]]);
  assert.deepEqual(at(row([0, 4], null), wholeLoop, 1, 5), [[0, 1], [-1, 1]]);
});

const moment = (change: Partial<StageMoment<LaidMove>>): StageMoment<LaidMove> => ({
  index: 0, following: null, movesOf: () => row([0, 4], [4, 4]), count: 0, loop: null, isCounting: false, ...change,
});

test('before the music starts, the move is next with which it starts', () => {
  const ids = (change: Partial<StageMoment<LaidMove>>): unknown[] => {
    const { current, next, isWaiting } = stageContent(moment(change));
    return [current?.id ?? null, next?.id ?? null, isWaiting];
  };
  assert.deepEqual(ids({ count: -Infinity, isCounting: true }), [null, 'a', true]);
  assert.deepEqual(ids({ count: 5, isCounting: true }), [null, 'b', true]);
  assert.deepEqual(ids({ count: 5 }), ['b', null, false]);
  assert.deepEqual(ids({ count: -3 }), [null, 'a', true]);
  // A gap between two moves, and the time after the last one, are no waiting.
  assert.deepEqual(ids({ count: 3, movesOf: () => row([0, 2], [4, 4]) }), [null, 'b', false]);
  assert.deepEqual(ids({ count: 9 }), [null, null, false]);
});

test('in a run the first move of the next part follows the last one of a part', () => {
  const movesOf = (index: number): LaidMove[] => [row([0, 4]), row(null, [0, 4]), []][index] ?? [];
  assert.deepEqual(stageContent(moment({ movesOf, following: 1 })).next, row(null)[0]);
  assert.equal(stageContent(moment({ movesOf, following: 1 })).nextIndex, 1);
  // A part without moves is told by its name.
  const untold = stageContent(moment({ movesOf, index: 1, following: 2 }));
  assert.deepEqual([untold.next, untold.nextIndex, untold.index], [null, 2, 1]);
  // As long as the part has a next move, the next part is not told.
  assert.equal(stageContent(moment({ movesOf, index: 1, count: -2, following: 2 })).nextIndex, null);
});

test('without counts, or without moves on them, nothing is lit', () => {
  for (const change of [{ count: null }, { movesOf: () => row(null, null) }, { movesOf: () => [] }]) {
    const { isFollowing, current, next, isWaiting } = stageContent(moment(change));
    assert.deepEqual([isFollowing, current, next, isWaiting], [false, null, null, false]);
  }
});
