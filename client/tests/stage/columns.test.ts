// The drawn columns, compared with the samples.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  columnsOf, gridOf, onGrid, repaintBetween, samplesOf, unknownHigh, unknownLow, type TileLookup,
} from '../../src/clipper/stage/columns';
import { SampleTiles } from '../../src/clipper/stage/sampleTiles';
import { coarsestResolution, tilePairs } from '../../src/clipper/stage/tiles';
import { panBy, wholeView, zoomAbout } from '../../src/clipper/stage/viewport';
import { seeded } from './random';

const length = 300_000;
const random = seeded(21);
const samples = Int8Array.from({ length }, (_, frame) => (
  Math.round(90 * Math.sin(frame / 900) * random() + 20 * Math.sin(frame / 7))
));

/** Tiles made of the samples; `isHere` tells which have arrived. */
function tilesOf(isHere: (resolution: number, index: number) => boolean = () => true): TileLookup {
  const made = new Map<string, Int8Array>();
  return (resolution, index) => {
    if (!isHere(resolution, index) || index * resolution * tilePairs >= length) return null;
    const key = `${resolution}/${index}`;
    const known = made.get(key);
    if (known) return known;
    const pairs: number[] = [];
    for (let pair = index * tilePairs; pair < (index + 1) * tilePairs && pair * resolution < length; pair += 1) {
      const of = samples.subarray(pair * resolution, (pair + 1) * resolution);
      pairs.push(of.reduce((low, value) => Math.min(low, value)), of.reduce((high, value) => Math.max(high, value)));
    }
    const tile = Int8Array.from(pairs);
    made.set(key, tile);
    return tile;
  };
}

/** The lowest and highest sample between two frames. */
function extremes(start: number, end: number): [number, number] {
  let [low, high] = [127, -128];
  for (let frame = Math.max(0, start); frame < Math.min(end, length); frame += 1) {
    low = Math.min(low, samples[frame] ?? 0);
    high = Math.max(high, samples[frame] ?? 0);
  }
  return [low, high];
}

test('a column covers its own samples, and at most one more pair on each side', () => {
  const lookup = tilesOf();
  for (const framesPerColumn of [1, 1.7, 2, 3.3, 16, 50.5, 64, 250, 700]) {
    const first = Math.floor(1_000 / framesPerColumn);
    const count = Math.min(400, Math.floor((length - 2_000) / framesPerColumn));
    const { low, high, isComplete } = columnsOf(first, count, framesPerColumn, length, lookup);
    assert(isComplete);
    for (let column = 1; column < count; column += 1) {
      const start = (first + column) * framesPerColumn;
      const [ownLow, ownHigh] = extremes(Math.ceil(start), Math.floor(start + framesPerColumn));
      const [mostLow, mostHigh] = extremes(
        Math.floor(start - 2 * framesPerColumn - 2), Math.ceil(start + 2 * framesPerColumn + 2),
      );
      assert((low[column] ?? 0) <= ownLow && (high[column] ?? 0) >= ownHigh, `column ${column} at ${framesPerColumn}`);
      assert((low[column] ?? 0) >= mostLow && (high[column] ?? 0) <= mostHigh, `column ${column} at ${framesPerColumn}`);
    }
  }
});

test('neighbouring columns touch, so that the outline never tears', () => {
  const { low, high } = columnsOf(500, 2_000, 1.3, length, tilesOf());
  for (let column = 1; column < 2_000; column += 1) {
    assert((low[column] ?? 0) <= (high[column - 1] ?? 0) || (low[column - 1] ?? 0) <= (high[column] ?? 0));
    const gap = Math.max((low[column] ?? 0) - (high[column - 1] ?? 0), (low[column - 1] ?? 0) - (high[column] ?? 0));
    assert(gap <= 0, `a gap of ${gap} before column ${column}`);
  }
});

test('while a fine tile is missing the next coarser loaded tile is drawn', () => {
  const coarse = coarsestResolution(length);
  const isHere = (resolution: number, index: number): boolean => (
    resolution === coarse || (resolution === 8 && index === 0)
  );
  const some = columnsOf(0, 400, 4, length, tilesOf(isHere));
  assert(!some.isComplete);
  assert.deepEqual([...some.low.slice(1)], [...columnsOf(0, 400, 8 / 2, length, tilesOf((of) => of === 8)).low.slice(1)]);
  const far = columnsOf(Math.floor(200_000 / 4), 100, 4, length, tilesOf(isHere));
  assert(far.low.every((low, column) => low <= (far.high[column] ?? 0)), 'the coarsest covers all');
  const none = columnsOf(0, 10, 4, length, () => null);
  assert(none.low.every((low) => low === unknownLow) && none.high.every((high) => high === unknownHigh));
});

test('nothing is drawn before the start and after the end', () => {
  const { low, high } = columnsOf(-5, 10, 10, length, tilesOf());
  assert([...low].slice(0, 5).every((value, column) => value > (high[column] ?? 0)));
  const end = columnsOf(length / 10 - 5, 10, 10, length, tilesOf());
  assert([...end.low].slice(5).every((value, column) => value > (end.high[column + 5] ?? 0)));
});

test('incrementally drawn columns equal a full drawing', () => {
  const whole = columnsOf(1_000, 600, 5.5, length, tilesOf());
  const left = columnsOf(1_000, 250, 5.5, length, tilesOf());
  const right = columnsOf(1_250, 350, 5.5, length, tilesOf());
  assert.deepEqual([...left.low, ...right.low], [...whole.low]);
  assert.deepEqual([...left.high, ...right.high], [...whole.high]);
});

test('single samples are at their frames, with one more on each side', () => {
  const view = zoomAbout(wholeView(length, 390), 200, 1e9);
  const grid = gridOf(view, 3);
  const points = samplesOf(grid, 0, grid.count, length, tilesOf());
  assert((points[0]?.x ?? 1) <= 0 && (points[points.length - 1]?.x ?? 0) >= grid.count);
  for (const { frame, x, value } of points) {
    assert.equal(value, samples[frame]);
    assert(Math.abs((grid.first + x) * grid.framesPerColumn - frame) < 1e-6);
  }
  assert.deepEqual(samplesOf(grid, 0, grid.count, length, () => null), []);
});

test('drawn columns are shifted and only the rest is drawn', () => {
  const shows = (first: number, count: number): number[] => Array.from({ length: count }, (_, column) => first + column);
  const next = seeded(5);
  let grid = { first: 1_000, count: 300, framesPerColumn: 10 };
  let canvas = shows(grid.first, grid.count);
  for (let round = 0; round < 2_000; round += 1) {
    const to = { ...grid, first: grid.first + Math.floor((next() - 0.5) * 800) };
    const repaint = repaintBetween(grid, to);
    if (repaint) {
      const { shift, draw: { from, to: until } } = repaint;
      canvas = canvas.map((_, column) => (shift === null ? NaN : canvas[column - shift] ?? NaN));
      for (let column = from; column < until; column += 1) canvas[column] = to.first + column;
    }
    grid = to;
    assert.deepEqual(canvas, shows(grid.first, grid.count));
  }
  assert.equal(repaintBetween(grid, { ...grid }), null);
  assert.equal(repaintBetween(grid, { ...grid, framesPerColumn: 11 })?.shift, null);
  assert.equal(repaintBetween(null, grid)?.shift, null);
});

test('the grid is at most half a device pixel from the view', () => {
  const moves = seeded(9);
  let view = zoomAbout(wholeView(length, 390), 100, 40);
  for (let round = 0; round < 500; round += 1) {
    view = panBy(view, (moves() - 0.5) * 30);
    const off = Math.abs(onGrid(view, 3).startFrame - view.startFrame) / view.framesPerPixel;
    assert(off <= 0.5 / 3 + 1e-9, `${off} px off`);
  }
});

test('tiles of single samples mix both channels across chunk borders', async () => {
  const chunk = 480_000;
  let fetched: number[] = [];
  const tiles = new SampleTiles(
    'track', chunk + 1_000,
    {
      fetchChunk: (_, number) => {
        fetched.push(number);
        return Promise.resolve(new ArrayBuffer(number + 1));
      },
      decodeChunk: (bytes, frames) => Promise.resolve({
        left: Float32Array.from({ length: frames }, (_, frame) => (bytes.byteLength === 1 ? frame / chunk : -0.5)),
        right: new Float32Array(frames),
      }),
    },
  );
  const pairs = await tiles.fetch(chunk - 3, chunk + 2);
  assert.equal(pairs.length, 10);
  assert(Math.abs((pairs[0] ?? 0) - (128 * (chunk - 3)) / chunk / 2) < 1e-4);
  assert.deepEqual([...pairs.slice(6)], [-32, -32, -32, -32]);
  assert.deepEqual(fetched, [0, 1]);
  await tiles.fetch(0, 10);
  assert.deepEqual(fetched, [0, 1], 'a chunk is fetched once');
});

test('a chunk that could not be fetched is retried', async () => {
  let attempts = 0;
  const tiles = new SampleTiles(
    'track', 1_000,
    {
      fetchChunk: () => {
        attempts += 1;
        return attempts === 1 ? Promise.reject(new Error('no network')) : Promise.resolve(new ArrayBuffer(1));
      },
      decodeChunk: silence,
    },
  );
  await assert.rejects(tiles.fetch(0, 10), /no network/);
  assert.equal((await tiles.fetch(0, 10)).length, 20);
});

test('a damaged chunk in the cache is fetched again, as for playback', async () => {
  const tiles = new SampleTiles('track', 1_000, {
    fetchChunk: async (_, _chunk, _signal, cache) => new ArrayBuffer(cache === 'reload' ? 1 : 0),
    decodeChunk: (bytes, frames) => (bytes.byteLength ? silence(bytes, frames) : Promise.reject(new Error('damaged'))),
  });
  assert.equal((await tiles.fetch(0, 10)).length, 20);
});

function silence(_: ArrayBuffer, frames: number): Promise<{ left: Float32Array; right: Float32Array }> {
  return Promise.resolve({ left: new Float32Array(frames), right: new Float32Array(frames) });
}
