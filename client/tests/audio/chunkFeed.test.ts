// A chunk that was kept damaged is fetched from the server once more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChunkFeed } from '../../src/audio/chunkFeed';
import { ChunkError, fetchFrom, sentences } from '../../src/audio/chunkLoader';

const part = {
  id: 'part', trackId: 'track', trackLengthFrames: 480_000, startFrame: 0, endFrame: 480_000,
};
const bounds = { startFrame: 0, endFrame: 480_000, repeats: false };

/** Plays a part whose chunk is kept here as `kept`, while the server has `stored`. */
async function play(kept: string, stored: string) {
  const asked: string[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = (async (_: string, { cache }: RequestInit) => {
    asked.push(cache ?? 'kept');
    return new Response(cache === 'reload' ? stored : kept);
  }) as typeof globalThis.fetch;
  try {
    return await new Promise<{ asked: string[]; chunks: number; sentence: string | null }>((resolve) => {
      const feed: ChunkFeed = new ChunkFeed(
        {
          fetchChunk: fetchFrom((track, chunk) => `/${track}/${chunk}`),
          decodeChunk: async (bytes) => {
            if (new TextDecoder().decode(bytes) !== 'good') throw new ChunkError(sentences.damaged, false);
            return { left: new Float32Array(1), right: new Float32Array(1) };
          },
        },
        {
          isAttached: () => true, discard: () => undefined, discardAll: () => undefined,
          sendChunk: () => undefined,
        },
        () => resolve({ asked, chunks: feed.count, sentence: feed.follow(part, bounds, 0, null, true) }));
      feed.open(part);
      feed.follow(part, bounds, 0, null, true);
    });
  } finally {
    globalThis.fetch = fetch;
  }
}

test('a chunk that is kept damaged and was mended on the server plays', async () => {
  assert.deepEqual(await play('bad', 'good'), { asked: ['kept', 'reload'], chunks: 1, sentence: null });
});

test('a good chunk is not fetched again, and one that is damaged on the server once', async () => {
  assert.deepEqual((await play('good', 'good')).asked, ['kept']);
  assert.deepEqual(await play('bad', 'bad'), { asked: ['kept', 'reload'], chunks: 0, sentence: sentences.damaged });
});
