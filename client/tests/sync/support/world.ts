// The environment of a library in tests: time, network, page and tabs.

import type {
  ChannelLike, Environment, EventSourceLike, PageEvents,
} from '../../../src/sync/environment';
import { LocalLibrary } from '../../../src/sync/library';
import { FakeIndexedDB } from './fake-indexeddb';
import { FakeServer } from './fake-server';
import { Random } from './random';

/** The fate of a request: it passes, is lost before or after the server handled it, or arrives twice. */
export type Fate = 'passes' | 'requestLost' | 'answerLost' | 'twice';

/** Answers requests: an in-memory server, or a connection to a real one. */
export interface ServerLike {
  handle(url: string, request: RequestInit): Promise<Response>;
}

type Listener = () => void;

/** Lets pending promises continue without advancing the time. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A browser: its storage and the channel between its tabs. */
export class Browser {
  readonly disk = new FakeIndexedDB();
  readonly channels = new Set<{ readonly name: string; receive: (data: unknown) => void }>();
}

/** A tab in a browser, with its own time and network. */
export class Tab {
  now = 1_700_000_000_000;
  /** Decides what happens to each request. */
  fate: (url: string, request: RequestInit) => Fate = () => 'passes';
  /** Answers instead of the server if it returns a response. */
  intercept: (url: string, request: RequestInit) => Response | Promise<Response> | null = () => null;
  isOnline = true;
  isHidden = false;
  readonly sources: FakeSource[] = [];
  readonly requests: { readonly url: string; readonly request: RequestInit }[] = [];
  private readonly timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  private readonly page = new Map<string, Set<Listener>>();
  private inFlight = 0;
  private isDead = false;

  constructor(
    readonly browser: Browser,
    readonly server: ServerLike,
    readonly random = new Random(1),
  ) {}

  /** Opens the library in this tab and waits until its first exchange is over. */
  async open(replaced: Partial<Environment> = {}): Promise<LocalLibrary> {
    const library = await LocalLibrary.open({ ...this.environment, ...replaced });
    await this.settle();
    return library;
  }

  get environment(): Environment {
    return {
      fetch: (url, request) => this.fetch(url, request),
      indexedDB: this.browser.disk.factory,
      eventSource: (url) => this.listen(url),
      broadcast: (name) => this.channel(name),
      clock: () => this.now,
      timer: (milliseconds, callback) => {
        const timer = { at: this.now + milliseconds, callback };
        this.timers.add(timer);
        return () => this.timers.delete(timer);
      },
      page: this.pageEvents,
      random: this.random.bytes,
    };
  }

  /** Waits until no request and no transaction is running. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      await turn();
      quiet = this.inFlight === 0 && this.browser.disk.active === 0 ? quiet + 1 : 0;
    }
  }

  /** Advances the time. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    for (;;) {
      await this.settle();
      const due = [...this.timers].filter((timer) => timer.at <= end);
      const [first] = due.sort((a, b) => a.at - b.at);
      if (!first) break;
      this.timers.delete(first);
      this.now = Math.max(this.now, first.at);
      if (!this.isDead) first.callback();
    }
    this.now = end;
  }

  /** Dispatches an event to the page's listeners: "online", "hidden" or "visible". */
  happens(event: string): void {
    if (event === 'hidden' || event === 'visible') this.isHidden = event === 'hidden';
    for (const listener of [...(this.page.get(event) ?? [])]) listener();
  }

  /** Dispatches an event of the server. */
  tell(type: string, data: unknown): void {
    for (const source of this.sources) source.emit(type, { data: JSON.stringify(data) });
  }

  /** Crashes the tab: it sends nothing more and receives nothing more. */
  kill(): void {
    this.isDead = true;
    this.timers.clear();
    this.sources.length = 0;
    this.inFlight = 0;
    for (const channel of [...this.browser.channels]) {
      if (this.ownChannels.has(channel)) this.browser.channels.delete(channel);
    }
  }

  private readonly ownChannels = new Set<unknown>();

  private get pageEvents(): PageEvents {
    const on = (event: string) => (listener: Listener) => {
      const listeners = this.page.get(event) ?? new Set();
      this.page.set(event, listeners.add(listener));
      return () => void listeners.delete(listener);
    };
    return {
      isOnline: () => this.isOnline, isHidden: () => this.isHidden,
      onOnline: on('online'), onOffline: on('offline'), onHidden: on('hidden'), onVisible: on('visible'),
    };
  }

  private async fetch(url: string, request: RequestInit): Promise<Response> {
    if (this.isDead) return new Promise(() => undefined);
    this.requests.push({ url, request });
    const fate = this.fate(url, request);
    this.inFlight += 1;
    try {
      await turn();
      if (request.signal?.aborted) throw new DOMException('Aborted', 'AbortError');
      if (!this.isOnline || fate === 'requestLost') throw new TypeError('fetch failed');
      const answer =
        await (this.intercept(url, request) ?? this.server.handle(url, request));
      const last = fate === 'twice' ? await this.server.handle(url, request) : answer;
      await turn();
      if (request.signal?.aborted) throw new DOMException('Aborted', 'AbortError');
      if (fate === 'answerLost') throw new TypeError('fetch failed');
      if (this.isDead) return new Promise(() => undefined);
      return last;
    } finally {
      if (!this.isDead) this.inFlight -= 1;
    }
  }

  private listen(_url: string): EventSourceLike {
    const source = new FakeSource();
    this.sources.push(source);
    return source;
  }

  private channel(name: string): ChannelLike {
    const { channels } = this.browser;
    const own = { name, receive: (data: unknown) => channel.onmessage?.({ data }) };
    const channel: ChannelLike = {
      onmessage: null,
      postMessage: (message) => {
        const copy: unknown = structuredClone(message);
        for (const other of channels) {
          if (other !== own && other.name === name) queueMicrotask(() => other.receive(copy));
        }
      },
      close: () => void channels.delete(own),
    };
    channels.add(own);
    this.ownChannels.add(own);
    return channel;
  }
}

/** An event stream of the server. */
export class FakeSource implements EventSourceLike {
  readyState = 1;
  private readonly listeners = new Map<string, ((event: { data?: unknown }) => void)[]>();

  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  emit(type: string, event: { data?: unknown } = {}): void {
    for (const listener of this.listeners.get(type) ?? []) listener(event);
  }

  close(): void {
    this.readyState = 2;
  }
}

/** Opens a library in a tab of a new browser. */
export async function opened(): Promise<{ server: FakeServer; tab: Tab; library: LocalLibrary }> {
  const server = new FakeServer();
  const tab = new Tab(new Browser(), server);
  return { server, tab, library: await tab.open() };
}

/** Counts the exchanges that a server has had. */
export function syncs(server: FakeServer): number {
  return server.log.filter((line) => line === 'POST /api/sync').length;
}
