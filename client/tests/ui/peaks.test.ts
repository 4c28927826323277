import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  barCount, barHeights, filled, parsePeaks, placeBars, resolutionFor, shareBars,
} from '../../src/ui/peaks';
import { PeaksCache } from '../../src/ui/peaksCache';

/** A .dat file with a pair for each of `loudness`, symmetrical about zero. */
function dat(loudness: readonly number[], framesPerPixel = 64, version = 2, flags = 1): ArrayBuffer {
  const data = new ArrayBuffer(24 + loudness.length * 2);
  const view = new DataView(data);
  view.setInt32(0, version, true);
  view.setUint32(4, flags, true);
  view.setInt32(8, 48_000, true);
  view.setInt32(12, framesPerPixel, true);
  view.setUint32(16, loudness.length, true);
  view.setInt32(20, 1, true);
  loudness.forEach((value, index) => {
    view.setInt8(24 + index * 2, -value);
    view.setInt8(25 + index * 2, value);
  });
  return data;
}

test('a .dat file is parsed with its resolution and pairs', () => {
  const peaks = parsePeaks(dat([1, 2, 3], 256));
  assert.equal(peaks.framesPerPixel, 256);
  assert.deepEqual([...peaks.pairs], [-1, 1, -2, 2, -3, 3]);
});

test('an invalid waveform is refused with a message', () => {
  assert.throws(() => parsePeaks(new ArrayBuffer(10)), /too short/);
  assert.throws(() => parsePeaks(dat([1], 64, 3)), /does not know/);
  assert.throws(() => parsePeaks(dat([1], 64, 2, 0)), /does not know/);
});

test('a truncated file gives its complete pairs', () => {
  assert.equal(parsePeaks(dat([1, 2, 3]).slice(0, 28)).pairs.length, 4);
});

test('the resolution is a multiple of 64 that gives every bar at least one pair', () => {
  for (const frames of [1, 4_800, 480_000, 48_000 * 240, 48_000 * 43_200]) {
    for (const bars of [1, 90, 400, 3_000]) {
      const resolution = resolutionFor(frames, bars);
      assert.equal(resolution % 64, 0);
      assert(resolution === 64 || resolution * bars <= frames, `${frames} ${bars} ${resolution}`);
    }
  }
});

test('an impulse is visible only in the bar of its frame', () => {
  const loudness = new Array<number>(1_000).fill(0);
  loudness[500] = 127;
  const peaks = parsePeaks(dat(loudness));
  const heights = barHeights(peaks, 0, 64_000, 100);
  assert.deepEqual([...heights].flatMap((height, bar) => (height > 0 ? [bar] : [])), [50]);
});

test('a part in the middle of a track starts and ends at its own frames', () => {
  for (const slope of [1, -1]) {
    const loudness = Array.from({ length: 100 }, (_, pair) => 60 + slope * (pair - 50));
    const peaks = parsePeaks(dat(loudness));
    const heights = barHeights(peaks, 64 * 20, 64 * 30, 10);
    assert.deepEqual([...heights].map((height) => Math.round(height * 127)), loudness.slice(20, 30));
  }
});

test('the full negative peak is as high as a bar can be', () => {
  const data = dat([0]);
  new DataView(data).setInt8(24, -128);
  assert.deepEqual([...barHeights(parsePeaks(data), 0, 64, 1)], [1]);
});

test('a quiet waveform is amplified at most four times and silence stays silence', () => {
  assert.deepEqual([...filled(Float32Array.of(0.25, 0.125))], [1, 0.5]);
  assert.deepEqual([...filled(Float32Array.of(0.125))], [0.5]);
  assert.deepEqual([...filled(Float32Array.of(0, 0))], [0, 0]);
});

test('bars fill the width from edge to edge on every screen', () => {
  for (const ratio of [1, 1.5, 2, 3]) {
    for (const width of [90, 320, 1_279]) {
      const pixels = Math.round(width * ratio);
      const count = barCount(pixels, ratio);
      const bars = placeBars(new Float32Array(count).fill(1), pixels, 100, ratio);
      const last = bars[bars.length - 1];
      assert.equal(bars[0]?.x, 0);
      assert.equal((last?.x ?? 0) + (last?.width ?? 0), count > 1 ? pixels : bars[0]?.width);
      assert(bars.every((bar) => bar.y >= 0 && bar.y + bar.height <= 100));
    }
  }
});

test('bars are distributed among parts by length and add up', () => {
  assert.deepEqual(shareBars([1, 1, 2], 100), [25, 25, 50]);
  assert.deepEqual(shareBars([], 100), []);
  assert.deepEqual(shareBars([0, 0], 100), [0, 0]);
  const shares = shareBars(Array.from({ length: 14 }, (_, index) => index + 1), 97);
  assert.equal(shares.reduce((sum, share) => sum + share, 0), 97);
});

test('a waveform is fetched once, even for simultaneous requests', async () => {
  let fetches = 0;
  const cache = new PeaksCache(() => {
    fetches += 1;
    return Promise.resolve(dat([1]));
  });
  const [one, other] = await Promise.all([cache.get('t', 64), cache.get('t', 64)]);
  assert.equal(one, other);
  assert.equal(await cache.get('t', 64), one);
  assert.equal(cache.peek('t', 64), one);
  assert.equal(fetches, 1);
});

test('a waveform that failed to load can be requested again', async () => {
  let fetches = 0;
  const cache = new PeaksCache(() => {
    fetches += 1;
    return fetches === 1 ? Promise.reject(new Error('offline')) : Promise.resolve(dat([1]));
  });
  await assert.rejects(cache.get('t', 64), /offline/);
  assert.equal(cache.peek('t', 64), null);
  assert.equal((await cache.get('t', 64)).pairs.length, 2);
});

test('a full cache drops the least recently used waveform', async () => {
  const large = new Array<number>(1_500_000).fill(1);
  const cache = new PeaksCache(() => Promise.resolve(dat(large)));
  for (const track of ['one', 'two']) await cache.get(track, 64);
  cache.peek('one', 64);
  await cache.get('three', 64);
  assert.equal(cache.peek('two', 64), null);
  assert.notEqual(cache.peek('one', 64), null);
  assert.notEqual(cache.peek('three', 64), null);
});
