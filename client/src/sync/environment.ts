// The environment of the library, so that tests can replace it.

/** Calls back after some milliseconds; returns a function that cancels it. */
export type Timer = (milliseconds: number, callback: () => void) => () => void;

/** The part of `EventSource` that the library uses. */
export interface EventSourceLike {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void;
  close(): void;
}

/** The part of `BroadcastChannel` that the library uses. */
export interface ChannelLike {
  onmessage: ((event: { data: unknown }) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/** The page's lifecycle events. Each function returns one that stops the listening. */
export interface PageEvents {
  isOnline(): boolean;
  isHidden(): boolean;
  onOnline(listener: () => void): () => void;
  onOffline(listener: () => void): () => void;
  onHidden(listener: () => void): () => void;
  onVisible(listener: () => void): () => void;
}

/** The part of `fetch` that the library uses. */
export type Fetch = (url: string, request: RequestInit) => Promise<Response>;

/** All external interfaces that the library needs. */
export interface Environment {
  readonly fetch: Fetch;
  /** Null if it does not exist, or if the browser forbids it. */
  readonly indexedDB: IDBFactory | null;
  readonly eventSource: ((url: string) => EventSourceLike) | null;
  readonly broadcast: ((name: string) => ChannelLike) | null;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly timer: Timer;
  readonly page: PageEvents;
  /** Fills an array with random bytes. */
  readonly random: (bytes: Uint8Array) => Uint8Array;
}

interface Listenable {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** Returns the browser's own environment, with any part replaced. */
export function browserEnvironment(replaced: Partial<Environment> = {}): Environment {
  return {
    fetch: (url, request) => globalThis.fetch(url, request),
    indexedDB: ownIndexedDB(),
    eventSource:
      typeof EventSource === 'undefined' ? null : (url) => new EventSource(url) as EventSourceLike,
    broadcast:
      typeof BroadcastChannel === 'undefined'
        ? null
        : (name) => new BroadcastChannel(name) as ChannelLike,
    clock: () => Date.now(),
    timer: (milliseconds, callback) => {
      const handle = setTimeout(callback, milliseconds);
      return () => clearTimeout(handle);
    },
    page: browserPage(),
    random: (bytes) => globalThis.crypto.getRandomValues(bytes),
    ...replaced,
  };
}

/** Some browsers throw when a page without permission merely reads the property. */
function ownIndexedDB(): IDBFactory | null {
  try {
    return globalThis.indexedDB ?? null;
  } catch {
    return null;
  }
}

function browserPage(): PageEvents {
  const world = globalThis as unknown as {
    navigator?: { onLine?: boolean };
    document?: Listenable & { visibilityState: string };
    addEventListener?: Listenable['addEventListener'];
    removeEventListener?: Listenable['removeEventListener'];
  };
  const listen = (target: Partial<Listenable> | undefined, type: string, listener: () => void) => {
    target?.addEventListener?.(type, listener);
    return () => target?.removeEventListener?.(type, listener);
  };
  const whenVisibilityIs = (state: string, listener: () => void) =>
    listen(world.document, 'visibilitychange', () => {
      if (world.document?.visibilityState === state) listener();
    });
  return {
    isOnline: () => world.navigator?.onLine ?? true,
    isHidden: () => world.document?.visibilityState === 'hidden',
    onOnline: (listener) => listen(world, 'online', listener),
    onOffline: (listener) => listen(world, 'offline', listener),
    onHidden: (listener) => {
      const stops = [whenVisibilityIs('hidden', listener), listen(world, 'pagehide', listener)];
      return () => stops.forEach((stop) => stop());
    },
    onVisible: (listener) => whenVisibilityIs('visible', listener),
  };
}
