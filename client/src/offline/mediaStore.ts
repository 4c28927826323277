// The media on this device: bytes in the browser's cache, from which the service worker answers,
// and a list of their sizes.

import { mediaAddress } from '../apiAddress';
import { mediaCacheName, videoPieceBytes, type VideoPieces } from '../serviceWorker/cacheLayout';
import type { OfflineDatabase } from './database';
import type { Need } from './needs';

/** The server does not have it, or not yet: an immediate retry is useless. */
export class NotThere extends Error {}

/** The browser's storage is full. */
export class NoRoom extends Error {}

/** Stores media. */
export class MediaStore {
  /** Bytes by address. */
  private sizes = new Map<string, number>();
  /** The sizes of videos, known from their first piece. */
  private readonly totals = new Map<string, number>();

  constructor(private readonly database: OfflineDatabase, private readonly cacheName: string = mediaCacheName) {}

  /** Reads the stored media. Entries that only the list or only the cache has are removed. */
  async load(): Promise<void> {
    const [files, cache] = await Promise.all([this.database.all('files'), caches.open(this.cacheName)]);
    const requests = await cache.keys();
    const here = new Set(requests.map(({ url }) => addressOf(url)));
    const listed = new Set(files.map(({ address }) => address));
    this.sizes = new Map(files.filter(({ address }) => here.has(address)).map(({ address, bytes }) => [address, bytes]));
    await this.database.delete('files', [...listed].filter((address) => !here.has(address)));
    for (const address of here) if (!listed.has(address)) await cache.delete(address);
  }

  /** Reads the list again after another tab has changed it. */
  async reload(): Promise<void> {
    const files = await this.database.all('files');
    this.sizes = new Map(files.map(({ address, bytes }) => [address, bytes]));
  }

  has(need: Need): boolean {
    return this.sizes.has(need.address);
  }

  /** Returns the stored bytes of a need, and its approximate total. */
  standing(need: Need): { readonly bytes: number; readonly total: number } {
    const own = this.sizes.get(need.address);
    if (need.kind === 'whole') return { bytes: own ?? 0, total: own ?? need.bytes };
    let bytes = own ?? 0;
    for (let piece = 0; ; piece += 1) {
      const size = this.sizes.get(mediaAddress.videoPiece(need.address, piece));
      if (size === undefined) break;
      bytes += size;
    }
    return { bytes, total: own === undefined ? Math.max(bytes, this.totals.get(need.address) ?? need.bytes) : bytes };
  }

  /** Returns every stored address with its size. */
  get entries(): Iterable<readonly [address: string, bytes: number]> {
    return this.sizes;
  }

  /** Downloads and stores a file. `onProgress` is called for each piece. */
  async fetch(need: Need, signal: AbortSignal, onProgress: () => void): Promise<void> {
    if (need.kind === 'video') {
      await this.fetchVideo(need.address, signal, onProgress);
      return;
    }
    const response = await fetch(need.address, { signal });
    // 202: the server is still working on it. An answer that must not be stored has an earlier
    // version.
    if (response.status !== 200) throw refused(response);
    if (response.headers.get('Cache-Control') === 'no-store') throw new NotThere();
    await this.keep(need.address, response.headers, await response.arrayBuffer());
  }

  /** Deletes the files of these addresses. */
  async remove(addresses: readonly string[]): Promise<void> {
    if (addresses.length === 0) return;
    // The list first: an incomplete file must not count as stored. A file that is stored again
    // meanwhile stays.
    for (const address of addresses) this.sizes.delete(address);
    await this.database.delete('files', addresses);
    const cache = await caches.open(this.cacheName);
    for (const address of addresses) if (!this.sizes.has(address)) await cache.delete(address);
  }

  /**
   * Downloads the missing pieces of a video; once all are stored, adds the entry under its own
   * address.
   */
  private async fetchVideo(address: string, signal: AbortSignal, onProgress: () => void): Promise<void> {
    let bytes = Infinity;
    let contentType = 'video/mp4';
    let etag: string | null = null;
    for (let piece = 0; piece * videoPieceBytes < bytes; piece += 1) {
      const name = mediaAddress.videoPiece(address, piece);
      const here = this.sizes.has(name) ? await (await caches.open(this.cacheName)).match(name) : undefined;
      if (here) {
        bytes = Number(here.headers.get(totalHeader));
        etag = here.headers.get('ETag');
        contentType = here.headers.get('Content-Type') ?? contentType;
        continue;
      }
      const first = piece * videoPieceBytes;
      // The worker would answer from the cache; `cache` also keeps the browser's own cache from
      // growing.
      const response = await fetch(address, {
        signal, cache: 'no-store', headers: { Range: `bytes=${first}-${first + videoPieceBytes - 1}` },
      });
      if (response.status !== 206 && response.status !== 200) throw refused(response);
      const total = Number(/\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1] ?? NaN);
      const body = await response.arrayBuffer();
      const before = bytes;
      // A small video may arrive as a whole.
      bytes = response.status === 200 ? body.byteLength : total;
      if (!Number.isSafeInteger(bytes) || (response.status === 200 && piece > 0)) throw new NotThere();
      const tag = response.headers.get('ETag');
      // From the bucket a piece comes without a tag.
      const isOther = bytes !== before || (tag !== null && etag !== null && tag !== etag);
      if (piece > 0 && isOther) {
        await this.remove(Array.from({ length: piece }, (_, each) => mediaAddress.videoPiece(address, each)));
        throw new Error('The video has changed meanwhile.');
      }
      etag = tag ?? etag;
      contentType = response.headers.get('Content-Type') ?? contentType;
      this.totals.set(address, bytes);
      const pieces = Math.ceil(body.byteLength / videoPieceBytes);
      for (let each = 0; each < pieces; each += 1) {
        const headers = new Headers({ 'Content-Type': contentType, [totalHeader]: String(bytes) });
        if (tag !== null) headers.set('ETag', tag);
        const part = body.slice(each * videoPieceBytes, (each + 1) * videoPieceBytes);
        await this.keep(mediaAddress.videoPiece(address, piece + each), headers, part);
      }
      piece += pieces - 1;
      onProgress();
    }
    const whole: VideoPieces = { bytes, pieceBytes: videoPieceBytes, contentType };
    const text = new TextEncoder().encode(JSON.stringify(whole));
    await this.keep(address, new Headers({ 'Content-Type': 'application/json' }), text.buffer as ArrayBuffer);
  }

  private async keep(address: string, received: Headers, body: ArrayBuffer): Promise<void> {
    const headers = new Headers(received);
    // The bytes are no longer compressed.
    for (const name of ['Content-Encoding', 'Content-Length', 'Vary']) headers.delete(name);
    try {
      const cache = await caches.open(this.cacheName);
      await cache.put(address, new Response(body, { headers }));
      await this.database.put('files', { address, bytes: body.byteLength });
    } catch (failure) {
      if (failure instanceof DOMException && failure.name === 'QuotaExceededError') throw new NoRoom();
      throw failure;
    }
    this.sizes.set(address, body.byteLength);
  }
}

/** Stored with a piece of a video: the size of the whole. */
const totalHeader = 'Segmance-Whole';

function addressOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function refused(response: Response): Error {
  const isPassing = response.status >= 500 || response.status === 429 || response.status === 401;
  return isPassing ? new Error(`The server answered ${response.status}.`) : new NotThere();
}
