// Places in a routine as one line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  frameOnLine, heardParts, heardShares, missAt, nextStop, partShares, shareOf, stopsOnLine,
} from '../../src/runThrough/places';
import { id, part, second } from '../practice/studio';

const parts = [part(1), part(2, { moves: [{ id: id(9), startFrame: null }] }), part(3)];
/** The third part has no audio now. */
const line = {
  stretches: parts.slice(0, 2).map(({ startFrame, endFrame }) => ({ trackId: 'a', trackLengthFrames: 40 * second, startFrame, endFrame })),
  partIds: [id(1), id(2)],
};

test('a frame of a part has a place on the line, and what is outside of the part the nearest one', () => {
  assert.equal(frameOnLine(line, id(2), 11 * second), 21 * second);
  assert.equal(frameOnLine(line, id(2), 90 * second), 40 * second);
  assert.equal(frameOnLine(line, id(3), 11 * second), null);
  assert.equal(shareOf(line, { partId: id(2), frame: 10 * second }), 0.5);
});

test('parts and what was heard are shares of the line', () => {
  assert.deepEqual(partShares(line), [{ start: 0, end: 0.5 }, { start: 0.5, end: 1 }]);
  assert.deepEqual(heardShares(line, [
    { partId: id(1), startFrame: 20 * second, endFrame: 30 * second }, { partId: id(3), startFrame: 0, endFrame: second },
  ]), [{ start: 0.25, end: 0.5 }]);
});

test('a place is the move that has begun there, or else a frame of its part', () => {
  assert.deepEqual(missAt(line, parts, 5 * second), { partId: id(1), frame: 15 * second, moveId: id(101) });
  assert.deepEqual(missAt(line, parts, 25 * second), { partId: id(2), frame: 15 * second, moveId: null });
  // The end belongs to the last part.
  assert.equal(missAt(line, parts, 40 * second)?.frame, 30 * second - 1);
  assert.equal(missAt({ stretches: [], partIds: [] }, parts, 0), null);
});

test('keys step to the beginnings of moves and parts, and through a part without counts by seconds', () => {
  const stops = stopsOnLine(line, parts);
  assert.deepEqual(stops.map((stop) => stop / second), [0, 4, 8, 12, 16, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38]);
  assert.equal(nextStop(stops, 5 * second, 1), 8 * second);
  assert.equal(nextStop(stops, 8 * second, -1), 4 * second);
  assert.equal(nextStop(stops, 0, -1), 0);
  assert.equal(nextStop(stops, 39 * second, 1), 39 * second);
});

test('the first and the last part that were heard are found, without those that are gone', () => {
  const covered = [id(2), id(7), id(1)].map((partId) => ({ partId, startFrame: 0, endFrame: 1 }));
  assert.deepEqual(heardParts(parts.map((each) => each.id), covered), { first: 0, last: 1 });
  assert.equal(heardParts(parts.map((each) => each.id), []), null);
});
