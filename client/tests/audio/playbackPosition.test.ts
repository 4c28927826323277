// The heard frame between two reports, and the bounds of playback.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playbackBounds, seekTarget, startFrameOf } from '../../src/audio/bounds';
import { heardFrame } from '../../src/audio/playbackPosition';

const bounds = { startFrame: 1_000, endFrame: 5_000, repeats: true };
const base = {
  frame: 2_000, runFrames: 10_000, elapsedFrames: 0, percent: 100, loopsWithoutGap: true, bounds,
};

test('the heard frame advances with the audio clock', () => {
  assert.equal(heardFrame({ ...base, elapsedFrames: 300 }), 2_300);
});

test('at half speed the position advances by half as many frames', () => {
  assert.equal(heardFrame({ ...base, percent: 50, elapsedFrames: 300 }), 2_150);
  assert.equal(heardFrame({ ...base, percent: 50, elapsedFrames: -300 }), 1_850);
  assert.equal(heardFrame({ ...base, percent: 150, runFrames: 100, elapsedFrames: -300 }), 1_900);
});

test('the output latency is subtracted', () => {
  assert.equal(heardFrame({ ...base, elapsedFrames: -300 }), 1_700);
});

test('right after a start the position is not before the start', () => {
  const heard = heardFrame({ ...base, runFrames: 100, elapsedFrames: -4_000 });
  assert.equal(heard, 1_900);
});

test('the position jumps back at B, and only after the latency has passed', () => {
  assert.equal(heardFrame({ ...base, frame: 4_900, elapsedFrames: 300 }), 1_200);
  assert.equal(heardFrame({ ...base, frame: 1_100, elapsedFrames: -300 }), 4_800);
  assert.equal(heardFrame({ ...base, frame: 1_000, elapsedFrames: -1 }), 4_999);
});

test('without a loop the position stops at the end', () => {
  const heard = heardFrame({ ...base, frame: 4_900, elapsedFrames: 300, loopsWithoutGap: false });
  assert.equal(heard, 5_000);
});

const part = {
  id: 'p', trackId: 't', trackLengthFrames: 9_000, startFrame: 1_000, endFrame: 5_000,
};

test('markers are swapped and clamped to the part', () => {
  assert.deepEqual(
    playbackBounds(part, { loopMode: 'section', markerA: 7_000, markerB: 2_000 }),
    { startFrame: 2_000, endFrame: 5_000, repeats: true });
});

test('a section without both markers or of zero length is the whole part', () => {
  const whole = { startFrame: 1_000, endFrame: 5_000, repeats: false };
  for (const markerB of [null, 2_000, 500]) {
    const markerA = markerB === 500 ? 900 : 2_000;
    assert.deepEqual(playbackBounds(part, { loopMode: 'section', markerA, markerB }), whole);
  }
});

test('a seek is clamped to the bounds and reaches the end only without a loop', () => {
  assert.equal(seekTarget(9_999, bounds), 4_999);
  assert.equal(seekTarget(9_999, { ...bounds, repeats: false }), 5_000);
  assert.equal(seekTarget(-5, bounds), 1_000);
  assert.equal(seekTarget(1_500.6, bounds), 1_501);
  assert.equal(seekTarget(Number.NaN, bounds), 1_000);
});

test('near the end playback starts from the beginning, and elsewhere where it was', () => {
  const long = { startFrame: 100_000, endFrame: 1_000_000 };
  assert.equal(startFrameOf(952_001, long, 48_000), 100_000);
  assert.equal(startFrameOf(952_000, long, 48_000), 952_000);
  assert.equal(startFrameOf(100_000, long, 48_000), 100_000);
  assert.equal(startFrameOf(999_999, long, 0), 999_999, 'only where it is wanted');
  const short = { startFrame: 0, endFrame: 20_000 };
  assert.deepEqual([15_000, 15_001].map((frame) => startFrameOf(frame, short, 48_000)), [15_000, 0], 'a quarter of a short one');
});
