// The service worker's responses from its media cache, with an in-memory cache.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { respondWithMedia } from '../../src/serviceWorker/media';

const address = '/api/tracks/t/chunks/0';

/** Requests a chunk from the worker. The cache has `kept`, and the server has `new`. */
async function ask(kept: string | null, request: { cache?: 'reload' }, status = 200) {
  const entries = new Map<string, string>(kept === null ? [] : [[address, kept]]);
  const real = { caches: Reflect.get(globalThis, 'caches') as unknown, fetch: globalThis.fetch };
  Object.defineProperty(globalThis, 'caches', {
    configurable: true,
    value: {
      keys: async () => [],
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

test('kept media are answered from the cache, and a reload fetches and replaces them', async () => {
  assert.deepEqual(await ask('old', {}), { answer: 'old', kept: 'old' });
  assert.deepEqual(await ask('old', { cache: 'reload' }), { answer: 'new', kept: 'new' });
});

test('a reload stores no media that are not kept, and no error response', async () => {
  assert.deepEqual(await ask(null, { cache: 'reload' }), { answer: 'new', kept: null });
  assert.deepEqual(await ask('old', { cache: 'reload' }, 503), { answer: 'new', kept: 'old' });
});

test('without a network an earlier version of kept media is answered', async () => {
  const entries = new Map([['/api/tracks/t/analysis?version=1', 'earlier']]);
  const real = { caches: Reflect.get(globalThis, 'caches') as unknown, fetch: globalThis.fetch };
  const path = (name: string): string => name.replace(/\?.*/, '');
  Object.defineProperty(globalThis, 'caches', {
    configurable: true,
    value: {
      keys: async () => [],
      open: async () => ({
        match: async (name: string, options?: CacheQueryOptions) => {
          const key = [...entries.keys()].find((one) => (options?.ignoreSearch ? path(one) === path(name) : one === name));
          return key === undefined ? undefined : new Response(entries.get(key));
        },
      }),
    },
  });
  const wanted = { kind: 'media', address: '/api/tracks/t/analysis?version=2' } as const;
  const answer = async (): Promise<string> => (await respondWithMedia(wanted, {} as Request)).text();
  try {
    globalThis.fetch = (async () => new Response('today’s')) as typeof globalThis.fetch;
    assert.equal(await answer(), 'today’s');
    globalThis.fetch = (async () => { throw new TypeError('no network'); }) as typeof globalThis.fetch;
    assert.equal(await answer(), 'earlier');
    entries.clear();
    entries.set('/api/speech?language=en&version=1&text=Kick', 'Kick');
    const speech = { kind: 'speech', address: '/api/speech?language=en&version=1&text=Turn' } as const;
    // Another name is no version of it.
    await assert.rejects(respondWithMedia(speech, {} as Request), /no network/);
    entries.clear();
    await assert.rejects(answer(), /no network/);
  } finally {
    globalThis.fetch = real.fetch;
    Object.defineProperty(globalThis, 'caches', { configurable: true, value: real.caches });
  }
});

test('media that are kept for a link are answered, too, after the library’s own', async () => {
  const own = new Map<string, string>();
  const linked = new Map([[address, 'of the link']]);
  const real = { caches: Reflect.get(globalThis, 'caches') as unknown, fetch: globalThis.fetch };
  const named = new Map([['segmance-media', own], ['segmance-link-media-l', linked], ['segmance-app-1', new Map([[address, 'no']])]]);
  Object.defineProperty(globalThis, 'caches', {
    configurable: true,
    value: {
      keys: async () => [...named.keys()].reverse(),
      open: async (name: string) => ({
        match: async (key: string) => named.get(name)?.has(key) ? new Response(named.get(name)?.get(key)) : undefined,
      }),
    },
  });
  globalThis.fetch = (async () => { throw new TypeError('no network'); }) as typeof globalThis.fetch;
  const answer = async (): Promise<string> => (await respondWithMedia({ kind: 'media', address }, {} as Request)).text();
  try {
    assert.equal(await answer(), 'of the link');
    own.set(address, 'own');
    assert.equal(await answer(), 'own');
    own.clear();
    linked.clear();
    await assert.rejects(answer(), /no network/);
  } finally {
    globalThis.fetch = real.fetch;
    Object.defineProperty(globalThis, 'caches', { configurable: true, value: real.caches });
  }
});
