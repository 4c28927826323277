// A damaged chunk in the cache is fetched from the server again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChunkFeed } from '../../src/audio/chunkFeed';
import { ChunkError, fetchFrom } from '../../src/audio/chunkLoader';
import { words } from '../../src/words/words';

const part = {
  id: 'part', trackId: 'track', trackLengthFrames: 480_000, startFrame: 0, endFrame: 480_000,
};
const bounds = { startFrame: 0, endFrame: 480_000, repeats: false };

/** Plays a part whose chunk is `kept` in the cache and `stored` on the server. */
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
            if (new TextDecoder().decode(bytes) !== 'good') throw new ChunkError(words.audio.damaged, false);
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

test('a damaged chunk in the cache that was repaired on the server plays', async () => {
  assert.deepEqual(await play('bad', 'good'), { asked: ['kept', 'reload'], chunks: 1, sentence: null });
});

test('a valid chunk is not fetched again, and a chunk that is damaged on the server is fetched once', async () => {
  assert.deepEqual((await play('good', 'good')).asked, ['kept']);
  assert.deepEqual(await play('bad', 'bad'), { asked: ['kept', 'reload'], chunks: 0, sentence: words.audio.damaged });
});
