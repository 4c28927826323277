// What was heard of a run, from the player's reports.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeardRanges, type RunParts } from '../../src/runThrough/heardRanges';
import { second } from '../practice/studio';

const stretch = (trackId: string, start: number, end: number) => (
  { trackId, trackLengthFrames: 100 * second, startFrame: start * second, endFrame: end * second }
);
/** A part of ten seconds, one of five of the same song, and one of another. */
const run: RunParts = { stretches: [stretch('a', 10, 20), stretch('a', 20, 25), stretch('b', 0, 30)], partIds: ['one', 'two', 'three'] };
const heard = (partId: string, start: number, end: number) => ({ partId, startFrame: start * second, endFrame: end * second });

/** A player whose reports come ten times a second. */
class Playing {
  readonly ranges = new HeardRanges(run);
  private milliseconds = 0;

  /** Plays from a second of the run to another one. */
  play(from: number, to: number, percent = 100): this {
    for (let at = from; at <= to + 1e-9; at += 0.1) {
      this.ranges.hear({ frame: Math.round(at * second), isPlaying: true, percent, milliseconds: this.milliseconds });
      this.milliseconds += 10_000 / percent;
    }
    return this;
  }

  pause(at: number): this {
    this.milliseconds += 60_000;
    this.ranges.hear({ frame: at * second, isPlaying: false, percent: 100, milliseconds: this.milliseconds });
    return this;
  }

  /** The page was busy for so long. */
  stall(milliseconds: number): this {
    this.milliseconds += milliseconds;
    return this;
  }
}

test('parts are covered one after the other, in frames of their tracks', () => {
  const { ranges } = new Playing().play(0, 20);
  assert.deepEqual(ranges.covered, [heard('one', 10, 20), heard('two', 20, 25), heard('three', 0, 5)]);
  assert.equal(Math.round(ranges.seconds), 20);
});

test('a start in the middle covers what comes after it', () => {
  assert.deepEqual(new Playing().play(12, 16).ranges.covered, [heard('two', 22, 25), heard('three', 0, 1)]);
});

test('a report exactly on a border begins no part', () => {
  assert.deepEqual(new Playing().play(5, 10).ranges.covered, [heard('one', 15, 20)]);
  assert.deepEqual(new Playing().play(5, 10.2).ranges.covered.length, 2);
});

test('at half the speed the same frames are covered in twice the time', () => {
  const { ranges } = new Playing().play(0, 10, 50);
  assert.deepEqual(ranges.covered, [heard('one', 10, 20)]);
  assert.equal(Math.round(ranges.seconds), 20);
});

test('a page that was busy has heard what was played meanwhile, over a border', () => {
  const playing = new Playing().play(0, 8).stall(3_900).play(12, 13);
  assert.deepEqual(playing.ranges.covered, [heard('one', 10, 20), heard('two', 20, 23)]);
});

test('a jump covers nothing between', () => {
  assert.deepEqual(new Playing().play(0, 2).play(6, 8).ranges.covered, [heard('one', 10, 12), heard('one', 16, 18)]);
  assert.deepEqual(new Playing().play(6, 8).play(0, 2).ranges.covered, [heard('one', 16, 18), heard('one', 10, 12)]);
});

test('after a pause it goes on where it was, however long that took', () => {
  assert.deepEqual(new Playing().play(0, 2).pause(2).play(2, 4).ranges.covered, [heard('one', 10, 14)]);
});

test('reports that go back a little take nothing away', () => {
  const playing = new Playing().play(0, 2);
  playing.ranges.hear({ frame: 1.9 * second, isPlaying: true, percent: 100, milliseconds: 2_200 });
  assert.deepEqual(playing.ranges.covered, [heard('one', 10, 12)]);
});

test('nothing is covered before the first sound', () => {
  const playing = new Playing().pause(0);
  assert.deepEqual(playing.ranges.covered, []);
  playing.ranges.hear({ frame: 0, isPlaying: true, percent: 100, milliseconds: 0 });
  assert.deepEqual(playing.ranges.covered, []);
});

test('a first report that comes late has heard the start, and one after a jump has not', () => {
  assert.deepEqual(new Playing().pause(0).stall(700).play(0.7, 2).ranges.covered, [heard('one', 10, 12)]);
  assert.deepEqual(new Playing().pause(0).stall(60_000).play(5, 6).ranges.covered, [heard('one', 15, 16)]);
});

test('with other borders it goes on in the same part', () => {
  const playing = new Playing().play(0, 4);
  // The first part has lost its first two seconds: its frames of the run are others.
  playing.ranges.follow({ ...run, stretches: [stretch('a', 12, 20), ...run.stretches.slice(1)] });
  playing.play(2, 4);
  assert.deepEqual(playing.ranges.covered, [heard('one', 10, 16)]);
});

test('a frame of the run is found in its part', () => {
  const ranges = new HeardRanges(run);
  assert.deepEqual(ranges.placeOf(12 * second), { partId: 'two', frame: 22 * second });
  assert.deepEqual(ranges.placeOf(1_000 * second), { partId: 'three', frame: 30 * second });
});
