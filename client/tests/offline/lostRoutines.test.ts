// Media of a routine that a group has, which this person has left, are deleted at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OfflineDatabase } from '../../src/offline/database';
import { Keeper, type KeeperLibrary } from '../../src/offline/keeper';
import type { MediaStore } from '../../src/offline/mediaStore';

const timers: { readonly milliseconds: number; readonly ring: () => void }[] = [];
globalThis.setTimeout = ((ring: () => void, milliseconds: number) => timers.push({ ring, milliseconds })) as unknown as typeof setTimeout;
Object.defineProperty(globalThis, 'BroadcastChannel', { configurable: true, value: undefined });
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: {} });

/** Fires the timers that are due within a second, again and again until nothing follows. */
async function aSecond(): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    const due = timers.filter(({ milliseconds }) => milliseconds <= 1_000);
    timers.splice(0, timers.length, ...timers.filter(({ milliseconds }) => milliseconds > 1_000));
    for (const { ring } of due) ring();
  }
}

/** A device that keeps a routine; returns its media, and what happens to the routine. */
async function keeping(): Promise<{ media: Map<string, number>; vanish: (how: 'lost' | 'deleted') => void }> {
  let how: 'here' | 'lost' | 'deleted' = 'here';
  let tell = (): void => undefined;
  const media = new Map([['/api/tracks/t/chunks/0', 1]]);
  const isHere = (): boolean => how === 'here';
  const library = {
    status: { online: true, loaded: true }, setting: () => false,
    subscribe: (listener: () => void) => {
      tell = listener;
      return () => undefined;
    },
    get: (type: string) => (
      isHere() ? type === 'track' ? { id: 't', state: 'ready', lengthFrames: 480_000 } : { title: 'Swan' } : undefined),
    parts: () => (isHere() ? [{ id: 'p', routine: 'r', track: 't', startFrame: 0, endFrame: 480_000 }] : []),
    moves: () => [], isDeleted: () => how === 'deleted',
  } as unknown as KeeperLibrary;
  const database = {
    all: (store: string) => Promise.resolve(store === 'kept' ? [{ routine: 'r', since: 1, isPaused: false }] : []),
  } as unknown as OfflineDatabase;
  const store = {
    load: () => Promise.resolve(), reload: () => Promise.resolve(), has: () => true, entries: media,
    standing: () => ({ bytes: 1, total: 1 }),
    remove: (addresses: readonly string[]) => {
      for (const address of addresses) media.delete(address);
      return Promise.resolve();
    },
  } as unknown as MediaStore;
  await new Keeper(library, database, store, () => undefined, () => undefined).begin();
  await aSecond();
  return {
    media,
    vanish: (next) => {
      how = next;
      tell();
    },
  };
}

test('a routine that is not seen any more leaves nothing', async () => {
  const { media, vanish } = await keeping();
  assert.equal(media.size, 1);
  vanish('lost');
  await aSecond();
  assert.equal(media.size, 0);
});

test('a deleted routine keeps its media as long as it can be undone', async () => {
  const { media, vanish } = await keeping();
  vanish('deleted');
  await aSecond();
  assert.equal(media.size, 1);
});
