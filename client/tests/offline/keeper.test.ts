// Decides which of several tabs fetches kept media; background tabs can be suspended.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OfflineDatabase } from '../../src/offline/database';
import { Keeper, type KeeperLibrary } from '../../src/offline/keeper';
import type { MediaStore } from '../../src/offline/mediaStore';
import type { Part, Track } from '../../src/sync/records';

const timers: (() => void)[] = [];
globalThis.setTimeout = ((callback: () => void) => timers.push(callback)) as unknown as typeof setTimeout;
Object.defineProperty(globalThis, 'BroadcastChannel', { configurable: true, value: undefined });

/** Runs everything that does not wait for a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
}

/** Fires every pending timer, and runs its consequences. */
async function pass(): Promise<void> {
  await settle();
  for (const ring of timers.splice(0)) ring();
  await settle();
}

type Held = { readonly tab: Tab; readonly grant: () => void; readonly take: () => void };

/** A lock that all tabs of a browser share. */
class Locks {
  private held: Held | null = null;
  private waiting: Held[] = [];

  request(tab: Tab, { steal = false }: LockOptions, callback: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = (): void => tab.hear(() => reject(new DOMException('The lock was taken.', 'AbortError')));
      const held = { tab, take, grant: () => void callback().then(resolve, reject) };
      if (steal) {
        this.held?.take();
        this.waiting.unshift(held);
        this.held = null;
      } else this.waiting.push(held);
      this.next();
    });
  }

  close(tab: Tab): void {
    this.waiting = this.waiting.filter((each) => each.tab !== tab);
    if (this.held?.tab === tab) this.held = null;
    this.next();
  }

  private next(): void {
    if (this.held) return;
    this.held = this.waiting.shift() ?? null;
    this.held?.grant();
  }
}

/** A tab that keeps a song of one routine, whose fetch never finishes. */
class Tab {
  readonly page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  /** Whether it is fetching. */
  isFetching = false;
  /** The pending events of a suspended tab; null otherwise. */
  private unheard: (() => void)[] | null = null;

  constructor(private readonly locks: Locks) {}

  async open(): Promise<void> {
    this.enter();
    const track = { id: 't', state: 'ready', lengthFrames: 480_000 } as Track;
    const library = {
      status: { online: true, loaded: true }, subscribe: () => () => undefined,
      get: (type: string) => (type === 'track' ? track : undefined),
      setting: () => false, isDeleted: () => false,
      parts: () => [{ id: 'p', routine: 'r', track: 't', startFrame: 0, endFrame: 480_000 } as Part],
    } as unknown as KeeperLibrary;
    const database = {
      all: (store: string) => Promise.resolve(store === 'kept' ? [{ routine: 'r', since: 1, isPaused: false }] : []),
    } as unknown as OfflineDatabase;
    const media = {
      load: () => Promise.resolve(), reload: () => Promise.resolve(), has: () => false, entries: [],
      standing: () => ({ bytes: 0, total: 1 }),
      fetch: (_need: unknown, signal: AbortSignal) => new Promise<void>((_, reject) => {
        this.isFetching = true;
        signal.addEventListener('abort', () => {
          this.isFetching = false;
          reject(new DOMException('Ended', 'AbortError'));
        });
      }),
    } as unknown as MediaStore;
    await new Keeper(library, database, media, () => undefined, () => undefined).begin();
    await pass();
  }

  /** Shows or hides this tab. */
  async turn(state: 'visible' | 'hidden'): Promise<void> {
    this.enter();
    this.page.visibilityState = state;
    this.page.dispatchEvent(new Event('visibilitychange'));
    const { unheard } = this;
    this.unheard = null;
    for (const hear of unheard ?? []) hear();
    await pass();
  }

  /** Suspends this tab until it is shown. */
  suspend(): void {
    this.unheard = [];
  }

  hear(news: () => void): void {
    if (this.unheard) {
      this.unheard.push(news);
      return;
    }
    this.enter();
    news();
  }

  /** Makes the globals those of this tab. */
  private enter(): void {
    const locks = {
      request: (_name: string, options: LockOptions, callback: () => Promise<void>) => (
        this.locks.request(this, options, callback)),
    };
    Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { locks } });
    Object.defineProperty(globalThis, 'document', { configurable: true, value: this.page });
  }
}

test('the visible tab fetches, even if a background tab has the lock', async () => {
  const locks = new Locks();
  const [older, newer] = [new Tab(locks), new Tab(locks)];
  await older.open();
  assert(older.isFetching);
  await older.turn('hidden');
  assert(older.isFetching, 'nobody else does');
  await newer.open();
  await pass();
  assert.deepEqual([older.isFetching, newer.isFetching], [false, true]);
  await newer.turn('hidden');
  await older.turn('visible');
  assert.deepEqual([older.isFetching, newer.isFetching], [true, false]);
});

test('a suspended tab does not prevent others from fetching, and continues when it is resumed', async () => {
  const locks = new Locks();
  const [older, newer] = [new Tab(locks), new Tab(locks)];
  await older.open();
  await older.turn('hidden');
  older.suspend();
  await newer.open();
  await pass();
  assert(newer.isFetching);
  await newer.turn('hidden');
  newer.suspend();
  older.isFetching = false;
  await older.turn('visible');
  await pass();
  assert(older.isFetching);
});

test('a background tab waits for the lock, and continues when the other tab is closed', async () => {
  const locks = new Locks();
  const [older, newer] = [new Tab(locks), new Tab(locks)];
  await older.open();
  newer.page.visibilityState = 'hidden';
  await newer.open();
  await pass();
  assert.deepEqual([older.isFetching, newer.isFetching], [true, false]);
  locks.close(older);
  await pass();
  assert(newer.isFetching);
});

test('a tab that lost the lock continues in the background when the other tab is closed', async () => {
  const locks = new Locks();
  const [older, newer] = [new Tab(locks), new Tab(locks)];
  await older.open();
  await older.turn('hidden');
  await newer.open();
  await pass();
  locks.close(newer);
  await pass();
  assert(older.isFetching);
});

test('names that the server can’t say now stop nothing else, and are asked for again', async () => {
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: {} });
  const track = { id: 't', state: 'ready', lengthFrames: 2_400_000 } as Track;
  const part = { id: 'p', routine: 'r', title: 'One', track: 't', startFrame: 0, endFrame: 480_000 } as Part;
  const second = { ...part, id: 'q', startFrame: 480_000, endFrame: 2_400_000 };
  const library = {
    status: { online: true, loaded: true }, subscribe: () => () => undefined,
    get: (type: string) => (type === 'track' ? track : type === 'routine' ? { title: 'Swan' } : undefined),
    setting: (name: string) => (name === 'caller' ? true : 'en'),
    parts: () => [part, second], moves: () => [{ title: 'Turn', startCount: 0 }],
  } as unknown as KeeperLibrary;
  const database = {
    all: (store: string) => Promise.resolve(store === 'kept' ? [{ routine: 'r', since: 1, isPaused: false }] : []),
  } as unknown as OfflineDatabase;
  const stored = new Set<string>();
  let isSpeaking = false;
  const media = {
    load: () => Promise.resolve(), reload: () => Promise.resolve(), entries: [],
    has: ({ address }: { address: string }) => stored.has(address),
    standing: () => ({ bytes: 0, total: 1 }),
    fetch: ({ address }: { address: string }) => {
      if (address.includes('speech') && !isSpeaking) return Promise.reject(new Error('The server answered 503.'));
      stored.add(address);
      return Promise.resolve();
    },
  } as unknown as MediaStore;
  let state: string | undefined;
  await new Keeper(library, database, media, (kept) => { state = kept.get('r')?.state; }, () => undefined).begin();
  await settle();
  const names = (): number => [...stored].filter((address) => address.includes('speech')).length;
  // Five chunks, the waveform and the analysis.
  assert.deepEqual([stored.size, names(), state], [7, 0, 'kept']);
  isSpeaking = true;
  await pass();
  await pass();
  assert.deepEqual([stored.size, names()], [9, 2]);
});
