// Beats as the engine takes them, of a part and of a run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatsInRun, beatsOf, hasBeats, packedBeats } from '../../src/audio/beats';

const beat = (frame: number, count: number) => ({ frame, count, place: ((count - 1) % 4) + 1, metre: 4 });

test('beats are packed as frame, count, place and metre', () => {
  assert.deepEqual([...packedBeats([beat(1_000, 1), beat(25_000, 6)])], [1_000, 1, 1, 4, 25_000, 6, 2, 4]);
  assert.equal(packedBeats([]).length, 0);
});

test('a run has the beats of its parts at its own frames', () => {
  const of = (trackId: string, startFrame: number, endFrame: number) => (
    { trackId, trackLengthFrames: 900_000, startFrame, endFrame });
  const stretches = [of('one', 1_000, 50_000), of('two', 0, 20_000), of('one', 24_000, 60_000)];
  const beats = beatsInRun(stretches, ({ trackId }) => (
    trackId === 'one' ? [beat(999, 8), beat(1_000, 1), beat(25_000, 2), beat(49_999, 3), beat(50_000, 4)] : []));
  assert.deepEqual(beats.map(({ frame, count }) => [frame, count]), [
    [0, 1], [24_000, 2], [48_999, 3], [70_000, 2], [94_999, 3], [95_000, 4],
  ]);
});

test('a part has its own beats and those shortly around it, and has counts if some are its own', () => {
  const part = { id: 'part', trackId: 'one', trackLengthFrames: 9_000_000, startFrame: 1_000_000, endFrame: 2_000_000 };
  const known = new Map([['one', [100_000, 900_000, 2_000_000, 2_600_000].map((frame) => beat(frame, 1))]]);
  const beats = beatsOf(part, known);
  assert.deepEqual(beats.map(({ frame }) => frame), [900_000, 2_000_000]);
  assert.equal(hasBeats(part, beats), false);
  assert.equal(hasBeats(part, [...beats, beat(1_999_999, 2)]), true);
  assert.deepEqual(beatsOf({ ...part, trackId: 'two' }, known), []);
  const run = [{ trackId: 'one', trackLengthFrames: 9_000_000, startFrame: 800_000, endFrame: 1_000_000 }];
  assert.deepEqual(beatsOf({ ...part, run }, known).map(({ frame }) => frame), [100_000]);
});
