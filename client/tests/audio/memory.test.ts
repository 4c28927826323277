// An engine without memory for a chunk overwrites nothing, and fewer chunks are requested.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChunkFeed } from '../../src/audio/chunkFeed';
import { Engine } from '../../src/worklet/engine';

const settled = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

test('a chunk is refused without memory, and nothing is written', () => {
  const memory = { buffer: new ArrayBuffer(64) };
  const discarded: number[] = [];
  const exports = {
    memory, engine_create: () => 8, engine_make_output: () => 16, engine_reserve: () => 1,
    engine_destination: () => 0, engine_mark_filled: () => undefined,
    engine_discard: (_: number, chunk: number) => { discarded.push(chunk); },
  };
  const { WebAssembly } = globalThis;
  Object.assign(globalThis, {
    WebAssembly: { Module: class {}, Instance: class { readonly exports = exports; } },
  });
  const engine = new Engine(new ArrayBuffer(0));
  Object.assign(globalThis, { WebAssembly });
  const [left, right] = [new Float32Array([1, 1]), new Float32Array([1, 1])];
  assert.equal(engine.provide({ kind: 'samples', chunk: 3, offset: 0, left, right }), false);
  assert.deepEqual(new Float32Array(memory.buffer), new Float32Array(16));
  assert.deepEqual(discarded, [3]);
});

test('a refused chunk is not fetched repeatedly', async () => {
  const fetched: number[] = [];
  const part = {
    id: 'part', trackId: 'track', trackLengthFrames: 4_800_000, startFrame: 0, endFrame: 4_800_000,
  };
  const follow = async (): Promise<void> => {
    feed.follow(part, { startFrame: 0, endFrame: 4_800_000, repeats: false }, 0, null, true);
    for (let turn = 0; turn < 50; turn += 1) await settled();
  };
  const feed: ChunkFeed = new ChunkFeed(
    {
      fetchChunk: async (_, chunk) => { fetched.push(chunk); return new ArrayBuffer(0); },
      decodeChunk: async () => ({ left: new Float32Array(1), right: new Float32Array(1) }),
    },
    {
      isAttached: () => true, discard: () => undefined, discardAll: () => undefined,
      sendChunk: (chunk) => { if (chunk >= 4) queueMicrotask(() => feed.refused(chunk)); },
    },
    () => undefined);
  feed.open(part);
  for (let turn = 0; turn < 5; turn += 1) await follow();
  assert.deepEqual([...new Set(fetched)].length, fetched.length, `${fetched}`);
  assert.equal(feed.count, 4);
});
