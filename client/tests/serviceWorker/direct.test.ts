// Media that the service worker fetches from the bucket, with a network of the test's own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetchMedia, offerDirectMedia } from '../../src/serviceWorker/direct';

const origin = 'https://studio.example';
const chunk = { kind: 'media', address: '/api/tracks/t/chunks/0' } as const;
const video = { kind: 'video', address: '/api/videos/v/file' } as const;
const direct = `${chunk.address}?direct=1`;

interface Asked { readonly address: string; readonly range: string | null }

/** What is asked, and how the bucket and the server answer. */
let asked: Asked[] = [];
let bucket: () => Response = () => new Response('bucket');

function setNow(milliseconds: number): void {
  globalThis.performance = { now: () => milliseconds } as Performance;
}

/** Runs a test on this network, while the server offers addresses of the bucket. */
function tries(name: string, body: () => Promise<void>): void {
  test(name, async () => {
    asked = [];
    bucket = () => new Response('bucket');
    offerDirectMedia(true);
    const real = { fetch: globalThis.fetch, performance };
    globalThis.fetch = (async (input: string | Request, init?: RequestInit) => {
      const request = new Request(input, init);
      const address = request.url.slice(origin.length);
      asked.push({ address, range: request.headers.get('Range') });
      if (!address.endsWith('?direct=1')) return new Response('server');
      request.signal.throwIfAborted();
      return bucket();
    }) as typeof globalThis.fetch;
    try {
      await body();
    } finally {
      globalThis.fetch = real.fetch;
      globalThis.performance = real.performance;
    }
  });
}

async function ask(wanted: Parameters<typeof fetchMedia>[0], init?: RequestInit): Promise<string> {
  return (await fetchMedia(wanted, new Request(origin + wanted.address, init))).text();
}

const addresses = (): string[] => asked.map(({ address }) => address);

tries('chunks and videos come from the bucket, the rest from the server', async () => {
  assert.equal(await ask(chunk), 'bucket');
  assert.equal(await ask(video), 'bucket');
  const analysis = { kind: 'media', address: '/api/tracks/t/analysis' } as const;
  assert.equal(await ask(analysis), 'server');
  assert.deepEqual(addresses(), [direct, `${video.address}?direct=1`, analysis.address]);
});

tries('without addresses all comes from the server', async () => {
  offerDirectMedia(false);
  assert.equal(await ask(chunk), 'server');
  assert.deepEqual(addresses(), [chunk.address]);
});

tries('a range is asked for and answered as one', async () => {
  bucket = () => new Response('part', {
    status: 206, headers: { 'Content-Range': 'bytes 0-3/10', 'Content-Type': 'video/mp4', ETag: '"other"' },
  });
  const request = new Request(origin + video.address, { headers: { Range: 'bytes=0-3' } });
  const answer = await fetchMedia(video, request);
  assert.deepEqual(asked, [{ address: `${video.address}?direct=1`, range: 'bytes=0-3' }]);
  assert.equal(answer.status, 206);
  // The server's tag of the same file is another one.
  assert.deepEqual([...answer.headers.keys()].sort(), ['content-range', 'content-type']);
});

tries('what the bucket refuses, or shows too little of, comes from the server, and for a minute all does', async () => {
  setNow(1_000);
  const failures = [
    () => new Response(null, { status: 403 }), () => new Response('part', { status: 206 }),
    () => { throw new TypeError('no network'); },
  ];
  for (const failure of failures) {
    offerDirectMedia(true);
    asked = [];
    bucket = failure;
    assert.equal(await ask(chunk), 'server');
    bucket = () => new Response('bucket');
    assert.equal(await ask(chunk), 'server');
    assert.deepEqual(addresses(), [direct, chunk.address, chunk.address]);
  }
  setNow(61_000);
  assert.equal(await ask(chunk), 'bucket');
});

tries('a request that the page has given up says nothing about the bucket', async () => {
  setNow(1_000);
  const page = new AbortController();
  page.abort();
  await ask(chunk, { signal: page.signal }).catch(() => null);
  assert.equal(await ask(chunk), 'bucket');
});
