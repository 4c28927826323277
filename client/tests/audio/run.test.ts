// A run: the sources of its chunks, and positions in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameInOtherRun, joinsOf, loadRun, placeInRun, release, runLength, startInRun } from '../../src/audio/run';
import { chunkFrames } from '../../src/timeline';

const stretch = (trackId: string, startFrame: number, endFrame: number) => (
  { trackId, trackLengthFrames: 2_000_000, startFrame, endFrame }
);
const stretches = [
  stretch('a', 100, 400_100), stretch('a', 400_100, 700_000), stretch('b', 900_000, 1_400_000),
];

/** A value that encodes the track and the frame, and is exact as a float. */
const sample = (trackId: string, frame: number): number => frame + (trackId === 'b' ? 4_000_000 : 0);

const loads: string[] = [];
const load = loadRun(stretches, async ({ trackId }, chunk, frames) => {
  loads.push(`${trackId} ${chunk}`);
  const left = Float32Array.from({ length: frames }, (_, n) => sample(trackId, chunk * chunkFrames + n));
  return { left, right: left.map((value) => -value) };
});

test('every frame of every stretch is included once and in order', async () => {
  const length = runLength(stretches);
  assert.equal(length, 1_199_900);
  const heard: Float32Array[] = [];
  for (let chunk = 0; chunk * chunkFrames < length; chunk += 1) {
    const { left, right } = await load(chunk, new AbortController().signal);
    assert.equal(left.length, Math.min(chunkFrames, length - chunk * chunkFrames));
    assert.equal(left.findIndex((value, index) => value !== -(right[index] ?? 0)), -1);
    heard.push(left);
  }
  let at = 0;
  const fade = 240;
  stretches.forEach(({ trackId, startFrame, endFrame }, index) => {
    for (let frame = startFrame; frame < endFrame; frame += 1, at += 1) {
      const isReleased = index === 2 && frame < startFrame + fade;
      const value = heard[Math.floor(at / chunkFrames)]?.[at % chunkFrames];
      if (!isReleased && value !== sample(trackId, frame)) assert.fail(`frame ${at} is ${value}`);
    }
  });
  assert.equal(at, length);
});

test('a chunk of a track that two chunks of the run share is loaded once', () => {
  assert.equal(new Set(loads).size, loads.length, loads.join(', '));
});

test('consecutive stretches of a track need no join, other stretches do', () => {
  const joins = [0, 1, 2].flatMap((chunk) => joinsOf(stretches, chunk));
  assert.deepEqual(joins, [{ at: 699_900 - chunkFrames, before: stretches[1] }]);
});

test('a join fades the last value to zero without a step', () => {
  const samples = Float32Array.from({ length: 1_000 }, (_, n) => (n < 500 ? 0.8 : 0));
  release(samples, 500, 0.8);
  for (let n = 490; n < 999; n += 1) {
    assert.equal(Math.abs((samples[n + 1] ?? 0) - (samples[n] ?? 0)) < 0.01, true, `step at ${n}`);
  }
  assert.equal(samples[740], 0);
});

for (const before of [0, 1, 100, 239, 240]) {
  test(`a join ${before} frames before a chunk's end has no step`, async () => {
    const parts = [stretch('a', 0, chunkFrames - before), stretch('b', 0, 1_000)];
    // A constant loud value, then silence. After the join the output is only the fade.
    const loadSteady = loadRun(parts, async ({ trackId }, _chunk, frames) => ({
      left: new Float32Array(frames).fill(trackId === 'a' ? 0.8 : 0),
      right: new Float32Array(frames).fill(trackId === 'a' ? -0.8 : 0),
    }));
    const chunks: { left: Float32Array; right: Float32Array }[] = [];
    for (const chunk of [0, 1]) chunks.push(await loadSteady(chunk, new AbortController().signal));
    const heard = (at: number, channel: 'left' | 'right'): number => (
      chunks[Math.floor(at / chunkFrames)]?.[channel][at % chunkFrames] ?? NaN
    );
    const join = chunkFrames - before;
    for (const channel of ['left', 'right'] as const) {
      for (let at = join - 10; at < join + 500; at += 1) {
        assert.equal(Math.abs(heard(at + 1, channel) - heard(at, channel)) < 0.01, true, `step at ${at}`);
      }
      assert.equal(Math.abs(heard(join - 1, channel)), Math.fround(0.8));
      assert.equal(heard(join + 240, channel) + 0, 0);
    }
  });
}

test('a position is found in another run, the nearest of several', () => {
  const [first, second, third] = stretches as [typeof stretches[0], typeof stretches[0], typeof stretches[0]];
  const song = stretch('c', 0, 50_000);
  assert.equal(frameInOtherRun(stretches, 10, [song, ...stretches]), 50_010);
  assert.equal(frameInOtherRun(stretches, 700_000, [stretch('a', 0, 400_100), second, third]), 700_100);
  assert.equal(frameInOtherRun(stretches, 400_000, [first, third, first, second, third]), 1_300_000);
  assert.equal(frameInOtherRun(stretches, 10, [second, third]), null);
});

test('a position in the run maps to a stretch and a frame of its track', () => {
  assert.deepEqual(placeInRun(stretches, 0), { index: 0, frame: 100 });
  assert.deepEqual(placeInRun(stretches, 399_999), { index: 0, frame: 400_099 });
  assert.deepEqual(placeInRun(stretches, 400_000), { index: 1, frame: 400_100 });
  assert.deepEqual(placeInRun(stretches, 5_000_000), { index: 2, frame: 1_400_000 });
  for (const index of [0, 1, 2]) {
    assert.equal(placeInRun(stretches, startInRun(stretches, index)).index, index);
  }
});
