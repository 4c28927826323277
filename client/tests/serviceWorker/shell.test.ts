// How the service worker stores the files of its app version, with in-memory caches.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkerScope } from '../../src/serviceWorker/scope';
import { Shell } from '../../src/serviceWorker/shell';

const addresses = ['/app.js?v=1', '/index.html'];
const onDemand = ['/voice-en.wav?v=1', '/voice-es.wav?v=1'];

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A browser with caches, and a shell of version 1 whose files contain their own addresses. */
async function browser() {
  const kept = new Map<string, Map<string, string>>();
  /** The addresses for which the network fails. */
  const missing = new Set<string>();
  const caches = {
    has: async (name: string) => kept.has(name),
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
    open: async (name: string) => {
      const files = kept.get(name) ?? new Map<string, string>();
      kept.set(name, files);
      return {
        put: async (address: string, answer: Response) => files.set(address, await answer.text()),
        keys: async () => [...files.keys()].map((address) => ({ url: `https://studio.test${address}` })),
        match: async (address: string) => {
          const text = files.get(address);
          return text === undefined ? undefined : new Response(text);
        },
      };
    },
  };
  const fetch = async (address: string) => new Response(address, { status: missing.has(address) ? 404 : 200 });
  Object.assign(globalThis, { caches, fetch });
  const listed = (list: readonly string[]) => Promise.all(list.map(async (address): Promise<[string, string]> => (
    [address, await sha256(address)])));
  const registration: { installing: unknown; waiting: unknown } = { installing: null, waiting: null };
  const scope = {
    registration, clients: { matchAll: async () => [] }, location: { origin: 'https://studio.test' },
  } as unknown as WorkerScope;
  const list = { version: '1', files: await listed(addresses), onDemand: await listed(onDemand) };
  return { kept, missing, registration, shell: new Shell(scope, list) };
}

test('an incomplete version leaves no files', async () => {
  const { kept, missing, shell } = await browser();
  missing.add('/index.html');
  await assert.rejects(shell.install());
  assert.equal(kept.size, 0);
});

test('a stored version stays when fetching it again fails', async () => {
  const { kept, missing, shell } = await browser();
  await shell.install();
  missing.add('/index.html');
  await assert.rejects(shell.install());
  assert.deepEqual([...kept.get('segmance-app-1')?.keys() ?? []].sort(), addresses);
});

test('a version that no page runs is deleted, unless it is the next one', async () => {
  const { kept, registration, shell } = await browser();
  await shell.install();
  kept.set('segmance-app-2', new Map());
  for (const state of ['installing', 'waiting'] as const) {
    registration[state] = {};
    await shell.sweep();
    assert.equal(kept.size, 2, state);
    registration[state] = null;
  }
  await shell.sweep();
  assert.deepEqual([...kept.keys()], ['segmance-app-1']);
});

const namesIn = (cache: Map<string, string> | undefined): string[] => [...cache?.keys() ?? []].sort();

test('a file on demand is stored once it was asked for, and then needs no network', async () => {
  const { kept, missing, shell } = await browser();
  await shell.install();
  assert.deepEqual(namesIn(kept.get('segmance-app-1')), addresses);
  const request = { url: 'https://studio.test/voice-es.wav?v=1' } as Request;
  assert.equal(await (await shell.file(request)).text(), onDemand[1]);
  missing.add('/voice-es.wav?v=1');
  assert.equal(await (await shell.file(request)).text(), onDemand[1]);
  assert.deepEqual(namesIn(kept.get('segmance-app-1')), [...addresses, onDemand[1]]);
});

test('a file on demand that an earlier version has is fetched with the new version', async () => {
  const { kept, missing, shell } = await browser();
  kept.set('segmance-app-0', new Map([['/voice-es.wav?v=0', 'an earlier voice'], ['/app.js?v=0', '']]));
  missing.add('/voice-es.wav?v=1');
  await assert.rejects(shell.install());
  missing.clear();
  await shell.install();
  assert.deepEqual(namesIn(kept.get('segmance-app-1')), [...addresses, onDemand[1]]);
});
