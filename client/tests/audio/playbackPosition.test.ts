// The frame that is heard between two reports, and the bounds that playback stays between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playbackBounds, seekTarget } from '../../src/audio/bounds';
import { heardFrame } from '../../src/audio/playbackPosition';

const bounds = { startFrame: 1_000, endFrame: 5_000, repeats: true };
const base = {
  frame: 2_000, runFrames: 10_000, elapsedFrames: 0, percent: 100, loopsWithoutGap: true, bounds,
};

test('the heard frame runs on with the audio clock', () => {
  assert.equal(heardFrame({ ...base, elapsedFrames: 300 }), 2_300);
});

test('at half speed the clock brings half as many frames, ahead and behind', () => {
  assert.equal(heardFrame({ ...base, percent: 50, elapsedFrames: 300 }), 2_150);
  assert.equal(heardFrame({ ...base, percent: 50, elapsedFrames: -300 }), 1_850);
  assert.equal(heardFrame({ ...base, percent: 150, runFrames: 100, elapsedFrames: -300 }), 1_900);
});

test('the sound that is still on the way is taken off', () => {
  assert.equal(heardFrame({ ...base, elapsedFrames: -300 }), 1_700);
});

test('right after a start nothing before it is heard', () => {
  const heard = heardFrame({ ...base, runFrames: 100, elapsedFrames: -4_000 });
  assert.equal(heard, 1_900);
});

test('it turns back at B, and B is still heard after the engine has turned', () => {
  assert.equal(heardFrame({ ...base, frame: 4_900, elapsedFrames: 300 }), 1_200);
  assert.equal(heardFrame({ ...base, frame: 1_100, elapsedFrames: -300 }), 4_800);
  assert.equal(heardFrame({ ...base, frame: 1_000, elapsedFrames: -1 }), 4_999);
});

test('without a loop it stops at the end', () => {
  const heard = heardFrame({ ...base, frame: 4_900, elapsedFrames: 300, loopsWithoutGap: false });
  assert.equal(heard, 5_000);
});

const part = {
  id: 'p', trackId: 't', trackLengthFrames: 9_000, startFrame: 1_000, endFrame: 5_000,
};

test('markers swap and stay inside the part', () => {
  assert.deepEqual(
    playbackBounds(part, { loopMode: 'section', markerA: 7_000, markerB: 2_000 }),
    { startFrame: 2_000, endFrame: 5_000, repeats: true });
});

test('a section without both markers, or without length, is the part', () => {
  const whole = { startFrame: 1_000, endFrame: 5_000, repeats: false };
  for (const markerB of [null, 2_000, 500]) {
    const markerA = markerB === 500 ? 900 : 2_000;
    assert.deepEqual(playbackBounds(part, { loopMode: 'section', markerA, markerB }), whole);
  }
});

test('a seek stays inside; only without a loop does it reach the end', () => {
  assert.equal(seekTarget(9_999, bounds), 4_999);
  assert.equal(seekTarget(9_999, { ...bounds, repeats: false }), 5_000);
  assert.equal(seekTarget(-5, bounds), 1_000);
  assert.equal(seekTarget(1_500.6, bounds), 1_501);
  assert.equal(seekTarget(Number.NaN, bounds), 1_000);
});
