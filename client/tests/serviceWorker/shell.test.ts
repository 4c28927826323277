// How the service worker stores the files of its app version, with in-memory caches.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkerScope } from '../../src/serviceWorker/scope';
import { Shell } from '../../src/serviceWorker/shell';

const addresses = ['/app.js?v=1', '/index.html'];

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
      return { put: async (address: string, answer: Response) => files.set(address, await answer.text()) };
    },
  };
  const fetch = async (address: string) => new Response(address, { status: missing.has(address) ? 404 : 200 });
  Object.assign(globalThis, { caches, fetch });
  const files = await Promise.all(addresses.map(async (address): Promise<[string, string]> => (
    [address, await sha256(address)])));
  const registration: { installing: unknown; waiting: unknown } = { installing: null, waiting: null };
  const scope = { registration, clients: { matchAll: async () => [] } } as unknown as WorkerScope;
  return { kept, missing, registration, shell: new Shell(scope, { version: '1', files }) };
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
