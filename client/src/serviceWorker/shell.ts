// The app's own files: one version, stored completely or not at all
// (docs/adr/0012-one-version-whole.md).
//
// Every address except the page's changes with its content. So a page of an earlier version, in a
// tab that stayed open, finds its own files in its own cache as long as that tab exists.

import { appCachePrefix, versionQuestion } from './cacheLayout';
import { leavable } from './leaving';
import type { WorkerScope } from './scope';

type ListedFile = readonly [address: string, sha256: string];

/** A version: its name, and the SHA-256 of each of its files by address. */
export interface ShellList {
  readonly version: string;
  readonly files: readonly ListedFile[];
  /** Files that few devices need: each is stored once it was asked for. */
  readonly onDemand: readonly ListedFile[];
}

const page = '/index.html';
const atOnce = 6;
const answerMilliseconds = 5_000;

/** The files of one version. */
export class Shell {
  private readonly cacheName: string;
  private readonly hashes: ReadonlyMap<string, string>;

  constructor(
    private readonly scope: WorkerScope,
    private readonly list: ShellList,
  ) {
    this.cacheName = appCachePrefix + list.version;
    this.hashes = new Map([...list.files, ...list.onDemand]);
  }

  /**
   * Fetches every file, and those on demand that an earlier version has stored; throws unless all are complete and
   * belong to this version.
   */
  async install(): Promise<void> {
    // If the server returned to this version, a tab may already use the existing cache.
    const isFirst = !await caches.has(this.cacheName);
    const cache = await caches.open(this.cacheName);
    const waiting = [...this.list.files, ...await this.inUse()].map(([address]) => address);
    const work = async (): Promise<void> => {
      for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
        await this.fetchInto(cache, address);
      }
    };
    try {
      await Promise.all(Array.from({ length: atOnce }, work));
    } catch (failure) {
      if (isFirst) await caches.delete(this.cacheName);
      throw failure;
    }
  }

  /** Answers a request for an address of the app. */
  async page(request: Request): Promise<Response> {
    const cache = await caches.open(this.cacheName);
    // A page from the network refers to its own addresses, so versions are not mixed.
    return (await cache.match(page)) ?? leavable(fetch(request));
  }

  /**
   * Answers a request for a file: of this version, of an older tab's version, or from the network.
   */
  async file(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const address = pathname + search;
    const cache = await caches.open(this.cacheName);
    const here = await cache.match(address);
    if (here) return here;
    if (this.hashes.has(address)) return leavable(this.fetchInto(cache, address));
    for (const name of await this.otherCaches()) {
      const older = await (await caches.open(name)).match(address);
      if (older) return older;
    }
    return leavable(fetch(request));
  }

  /**
   * Deletes versions that no page uses any more. A page that does not answer may use any of them.
   */
  async sweep(): Promise<void> {
    const { installing, waiting } = this.scope.registration;
    // No page uses the next version yet.
    if (installing || waiting) return;
    const names = await this.otherCaches();
    if (names.length === 0) return;
    const pages = await this.scope.clients.matchAll({ includeUncontrolled: true });
    const versions = await Promise.all(pages.map((each) => new Promise<string | null>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      const timer = setTimeout(() => resolve(null), answerMilliseconds);
      port1.onmessage = ({ data }) => {
        clearTimeout(timer);
        resolve(String(data));
      };
      each.postMessage(versionQuestion, [port2]);
    })));
    if (versions.includes(null)) return;
    const unused = names.filter((name) => !versions.includes(name.slice(appCachePrefix.length)));
    await Promise.all(unused.map((name) => caches.delete(name)));
  }

  /** Returns the files on demand that this device has of another version. */
  private async inUse(): Promise<readonly ListedFile[]> {
    const stored = new Set<string>();
    for (const name of await this.otherCaches()) {
      for (const { url } of await (await caches.open(name)).keys()) stored.add(new URL(url).pathname);
    }
    return this.list.onDemand.filter(([address]) => stored.has(new URL(address, this.scope.location.origin).pathname));
  }

  private async otherCaches(): Promise<string[]> {
    const names = await caches.keys();
    return names.filter((name) => name.startsWith(appCachePrefix) && name !== this.cacheName);
  }

  private async fetchInto(cache: Cache, address: string): Promise<Response> {
    const response = await fetch(address, { cache: 'no-cache' });
    if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
    const bytes = await response.arrayBuffer();
    if (await sha256(bytes) !== this.hashes.get(address)) {
      throw new Error(`${address} is of another version than ${this.list.version}.`);
    }
    // The bytes are no longer compressed; all other headers, including the policies, stay.
    const headers = new Headers(response.headers);
    for (const name of ['Content-Encoding', 'Content-Length', 'Vary']) headers.delete(name);
    const whole = new Response(bytes, { headers });
    await cache.put(address, whole.clone());
    return whole;
  }
}

async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
