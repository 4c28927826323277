// What the worker answers from its cache, with a cache in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { respondWithMedia } from '../../src/serviceWorker/media';

const address = '/api/tracks/t/chunks/0';

/** Asks the worker for a chunk that is kept as `kept`; the server has `new`. */
async function ask(kept: string | null, request: { cache?: 'reload' }, status = 200) {
  const entries = new Map<string, string>(kept === null ? [] : [[address, kept]]);
  const real = { caches: Reflect.get(globalThis, 'caches') as unknown, fetch: globalThis.fetch };
  Object.defineProperty(globalThis, 'caches', {
    configurable: true,
    value: {
      open: async () => ({
        match: async (name: string) => entries.has(name) ? new Response(entries.get(name)) : undefined,
        put: async (name: string, response: Response) => entries.set(name, await response.text()),
      }),
    },
  });
  globalThis.fetch = (async () => new Response('new', { status })) as typeof globalThis.fetch;
  try {
    const answer = await respondWithMedia({ kind: 'media', address }, request as Request);
    return { answer: await answer.text(), kept: entries.get(address) ?? null };
  } finally {
    globalThis.fetch = real.fetch;
    Object.defineProperty(globalThis, 'caches', { configurable: true, value: real.caches });
  }
}

test('what is kept is answered, and only what is asked for anew comes from the server and takes its place', async () => {
  assert.deepEqual(await ask('old', {}), { answer: 'old', kept: 'old' });
  assert.deepEqual(await ask('old', { cache: 'reload' }), { answer: 'new', kept: 'new' });
});

test('what is not kept is not kept for being asked for anew, nor is a refusal', async () => {
  assert.deepEqual(await ask(null, { cache: 'reload' }), { answer: 'new', kept: null });
  assert.deepEqual(await ask('old', { cache: 'reload' }, 503), { answer: 'new', kept: 'old' });
});
