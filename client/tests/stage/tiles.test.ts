// The tiles that a view needs, and the cache of loaded tiles.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetchTiles, reducedSamples, TileLoader, type FetchTile } from '../../src/clipper/stage/tileLoader';
import {
  coarsestResolution, resolutionFor, tileFrames, tilePairs, TileStore, wantedTiles, type TileName,
} from '../../src/clipper/stage/tiles';
import { endFrame, wholeView, zoomAbout } from '../../src/clipper/stage/viewport';
import { seeded } from './random';

const hour = 3_600 * 48_000;
const tileOf = (bytes = 16): Int8Array => new Int8Array(bytes);
const covers = (names: readonly TileName[], resolution: number, frame: number): boolean => (
  names.some((name) => name.resolution === resolution && name.index === Math.floor(frame / (resolution * tilePairs)))
);

test('the whole track is one tile at the coarsest resolution', () => {
  for (const length of [1, tilePairs, tilePairs + 1, 1_000_000, hour, 10 * hour]) {
    const resolution = coarsestResolution(length);
    assert(resolution * tilePairs >= length);
    assert(resolution === 1 || (resolution / 2) * tilePairs < length);
    const { start, end } = tileFrames({ resolution, index: 0 }, length);
    assert.equal(start, 0);
    assert(end >= length && end < length + resolution);
  }
});

test('every column has at least one pair and not many more', () => {
  const random = seeded(11);
  for (let round = 0; round < 1_000; round += 1) {
    const framesPerColumn = 2 ** (random() * 20 - 6);
    const resolution = resolutionFor(framesPerColumn, 100 * hour);
    assert(resolution === 1 || resolution <= framesPerColumn);
    assert(resolution * 2 > framesPerColumn);
    assert.equal(Math.log2(resolution) % 1, 0);
  }
});

test('a view requests each tile that it shows once, the whole track first', () => {
  const random = seeded(12);
  for (let round = 0; round < 500; round += 1) {
    const length = 1 + Math.floor(random() * hour);
    const view = zoomAbout(wholeView(length, 390), random() * 390, 2 ** (random() * 24));
    const wanted = wantedTiles(view, 3);
    assert.deepEqual(wanted[0], { resolution: coarsestResolution(length), index: 0 });
    const resolution = resolutionFor(view.framesPerPixel / 3, length);
    for (let step = 0; step <= 20; step += 1) {
      const frame = view.startFrame + ((endFrame(view) - view.startFrame) * step) / 20;
      assert(covers(wanted, resolution, Math.min(frame, length - 1)), `frame ${frame}`);
    }
    const seen = Math.floor((view.startFrame + endFrame(view)) / 2 / (resolution * tilePairs));
    const place = wanted.findIndex((name) => name.resolution === resolution && name.index === seen);
    assert(place <= 3, 'what is seen comes before its neighbours');
    const outside = wanted.findIndex((name) => name.resolution === resolution && name.index < seen
      && (name.index + 1) * resolution * tilePairs < view.startFrame - resolution);
    assert(outside === -1 || outside > place);
    assert.equal(new Set(wanted.map((name) => JSON.stringify(name))).size, wanted.length);
    assert(wanted.length <= 8, `${wanted.length} tiles`);
    for (const name of wanted) assert(tileFrames(name, length).start < length);
  }
});

test('the store stays within its size limit and drops the least recently used tiles', () => {
  const store = new TileStore(100);
  for (let index = 0; index < 10; index += 1) store.put({ resolution: 1, index }, tileOf(16));
  assert(store.bytes <= 100);
  assert.equal(store.get(1, 0), null);
  assert(store.get(1, 4));
  store.put({ resolution: 1, index: 10 }, tileOf(16));
  assert(store.get(1, 4), 'what was just used stays');
  assert.equal(store.get(1, 5), null);
  store.put({ resolution: 1, index: 4 }, tileOf(32));
  assert.equal(store.bytes, 96, 'a tile that comes again counts once');
});

/** A server whose responses are given by the test. */
function waiting(): { fetchTile: FetchTile; asked: { name: TileName; signal: AbortSignal; give: () => void; fail: () => void }[] } {
  const asked: ReturnType<typeof waiting>['asked'] = [];
  return {
    asked,
    fetchTile: (name, signal) => new Promise((resolve, reject) => {
      asked.push({ name, signal, give: () => resolve(tileOf()), fail: () => reject(new Error('no network')) });
    }),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the loader requests a few tiles at a time, the most urgent first, and cancels unwanted ones', async () => {
  const { fetchTile, asked } = waiting();
  let arrivals = 0;
  const loader = new TileLoader(fetchTile, {
    onTile: () => {
      arrivals += 1;
    },
    onTrouble: () => assert.fail('nothing went wrong'),
  });
  const names = [0, 1, 2, 3, 4].map((index) => ({ resolution: 64, index }));
  loader.want(names);
  assert.deepEqual(asked.map(({ name }) => name.index), [0, 1, 2]);
  asked[0]?.give();
  await settled();
  assert.equal(arrivals, 1);
  assert.deepEqual(asked.map(({ name }) => name.index), [0, 1, 2, 3]);
  loader.want([{ resolution: 64, index: 0 }, { resolution: 64, index: 9 }]);
  assert(asked[1]?.signal.aborted && asked[2]?.signal.aborted);
  assert.equal(asked[4]?.name.index, 9, 'what is here is not asked for again');
  asked[1]?.give();
  await settled();
  assert.equal(arrivals, 1, 'a dropped answer is not taken');
});

test('after a failure the loader waits, reports repeated failures, and recovers', async () => {
  const { fetchTile, asked } = waiting();
  const troubles: boolean[] = [];
  const pauses: { milliseconds: number; act: () => void }[] = [];
  const loader = new TileLoader(
    fetchTile, { onTile: () => undefined, onTrouble: (isInTrouble) => troubles.push(isInTrouble) },
    (milliseconds, act) => {
      pauses.push({ milliseconds, act });
      return () => undefined;
    },
  );
  loader.want([{ resolution: 64, index: 0 }]);
  for (let round = 0; round < 6; round += 1) {
    asked[round]?.fail();
    await settled();
    assert.equal(asked.length, round + 1, 'it does not ask at once');
    pauses[round]?.act();
  }
  assert.deepEqual(troubles, [true]);
  assert.deepEqual(pauses.map(({ milliseconds }) => milliseconds), [500, 1_500, 4_000, 10_000, 10_000, 10_000]);
  asked[6]?.give();
  await settled();
  assert.deepEqual(troubles, [true, false]);
});

test('a failed tile that is no longer wanted leaves no problem', async () => {
  const { fetchTile, asked } = waiting();
  const troubles: boolean[] = [];
  let calledOff = 0;
  const loader = new TileLoader(
    fetchTile, { onTile: () => undefined, onTrouble: (isInTrouble) => troubles.push(isInTrouble) },
    () => () => {
      calledOff += 1;
    },
  );
  const whole = [{ resolution: 4_096, index: 0 }];
  loader.want(whole);
  asked[0]?.give();
  await settled();
  loader.want([...whole, { resolution: 64, index: 0 }, { resolution: 64, index: 1 }]);
  asked[1]?.fail();
  asked[2]?.fail();
  await settled();
  assert.deepEqual(troubles, [true]);
  loader.want(whole);
  assert.deepEqual(troubles, [true, false]);
  assert.equal(calledOff, 1);
  loader.want([{ resolution: 64, index: 2 }]);
  assert.equal(asked[3]?.name.index, 2, 'nothing waits for what failed');
});

test('a closed loader makes no requests and no callbacks', async () => {
  const { fetchTile, asked } = waiting();
  const loader = new TileLoader(fetchTile, { onTile: () => assert.fail('too late'), onTrouble: () => assert.fail('too late') });
  loader.want([{ resolution: 64, index: 0 }, { resolution: 64, index: 1 }]);
  loader.close();
  asked[0]?.give();
  asked[1]?.fail();
  await settled();
  assert(asked.every(({ signal }) => signal.aborted));
});

test('a response of the wrong length is refused', async () => {
  const dat = new ArrayBuffer(24 + 2 * 100);
  const view = new DataView(dat);
  [2, 1, 48_000, 64, 100, 1].forEach((value, index) => view.setInt32(index * 4, value, true));
  const real = globalThis.fetch;
  globalThis.fetch = () => Promise.resolve(new Response(dat));
  try {
    const asked = new AbortController().signal;
    assert.equal((await fetchTiles('track', 6_400)({ resolution: 64, index: 0 }, asked)).length, 200);
    await assert.rejects(fetchTiles('track', 6_464)({ resolution: 64, index: 0 }, asked), /does not belong/);
    await assert.rejects(fetchTiles('track', 6_400)({ resolution: 128, index: 0 }, asked), /does not belong/);
  } finally {
    globalThis.fetch = real;
  }
});

test('without a network, tiles finer than the kept waveform are made of samples', () => {
  const samples = Float32Array.from([0.5, -1, 3, 2, -4, 7].flatMap((value) => [value, value]));
  assert.deepEqual([...reducedSamples(samples, 2)], [-1, 0.5, 2, 3, -4, 7]);
  assert.deepEqual([...reducedSamples(samples, 4)], [-1, 3, -4, 7]);
});
