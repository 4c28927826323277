// The name of a tab: it stays over a reload, and a duplicated tab has another one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdTabName, lastTabName, openTabs, reclaimTabName } from '../../src/offline/tabName';

/** The locks of one browser, as those who want them ask: the first holds it. */
const wanted = new Map<string, (() => Promise<unknown>)[]>();
const locks = {
  query: () => Promise.resolve({ held: [...wanted.keys(), 'another'].map((name) => ({ name })) }),
  request: (name: string, { signal }: { signal?: AbortSignal }, callback: () => Promise<unknown>) => {
    const queue = wanted.get(name) ?? [];
    wanted.set(name, [...queue, callback]);
    if (queue.length === 0) return Promise.resolve().then(callback);
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        wanted.set(name, (wanted.get(name) ?? []).filter((each) => each !== callback));
        reject(new Error('Given up.'));
      });
    });
  },
};
const stored = new Map<string, string>();
Object.assign(globalThis, {
  sessionStorage: { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => stored.set(key, value) },
});
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { locks } });

test('a new tab has no name before it is given one, which a reload reclaims at once', async () => {
  reclaimTabName();
  assert.equal(lastTabName(), null);
  holdTabName('a');
  assert.deepEqual([...await openTabs()], ['a']);
  // The old page is gone.
  wanted.clear();
  reclaimTabName();
  assert.deepEqual([...await openTabs()], ['a']);
  assert.equal(lastTabName(), 'a');
});

test('a duplicated tab gives the name up', async () => {
  stored.set('segmance.tab', 'b');
  holdTabName('b');
  reclaimTabName();
  await openTabs();
  assert.equal(wanted.get('segmance-tab-b')?.length, 2);
  assert.equal(lastTabName(), null);
  assert.equal(wanted.get('segmance-tab-b')?.length, 1, 'the other tab alone holds it');
});
