// Songs, waveforms and videos on this device: answered from the cache, otherwise by the server. The
// page stores them (offline/mediaStore.ts); the worker only reads, and replaces entries that the
// page found damaged.

import { keptFramesPerPixel, mediaAddress } from '../apiAddress';
import { coarserPeaks } from './coarserPeaks';
import { mediaCaches, type VideoPieces } from './cacheLayout';
import { leavable } from './leaving';
import { rangeOf, stretchAt, type Range } from './ranges';
import type { RequestKind } from './requestKind';
import { fetchMedia } from './direct';

/** The most recently read waveforms, so that the many ranges of one page are read once. */
const mostWaveforms = 4;
const waveforms = new Map<string, ArrayBuffer>();

/** Answers a request for storable media. */
export async function respondWithMedia(
  wanted: Exclude<RequestKind, { kind: 'page' | 'file' }>, request: Request,
): Promise<Response> {
  const isWhole = wanted.kind === 'media' || wanted.kind === 'speech';
  if (isWhole && request.cache === 'reload') return leavable(fetchAnew(wanted.address, request));
  const kept = await keptAnswer(wanted, request).catch(() => null);
  if (kept) return kept;
  try {
    return await leavable(fetchMedia(wanted, request));
  } catch (failure) {
    // Without a network an earlier version is better than none. Another spoken text is not.
    if (wanted.kind === 'speech') throw failure;
    const earlier = await keptAnswer(wanted, request, { ignoreSearch: true }).catch(() => null);
    if (earlier) return earlier;
    throw failure;
  }
}

/** Fetches media from the server; the answer replaces a stored entry. */
async function fetchAnew(address: string, request: Request): Promise<Response> {
  const response = await fetch(request);
  if (response.status !== 200) return response;
  const copy = response.clone();
  try {
    for (const cache of await mediaCaches()) {
      if (await cache.match(address)) await cache.put(address, copy.clone());
    }
  } catch {
    // Without space the old entry stays; the page still gets the answer.
  }
  return response;
}

async function keptAnswer(
  wanted: Exclude<RequestKind, { kind: 'page' | 'file' }>, request: Request, options?: CacheQueryOptions,
): Promise<Response | null> {
  for (const cache of await mediaCaches()) {
    const kept = await keptIn(cache, wanted, request, options);
    if (kept) return kept;
  }
  return null;
}

async function keptIn(
  cache: Cache, wanted: Exclude<RequestKind, { kind: 'page' | 'file' }>, request: Request, options?: CacheQueryOptions,
): Promise<Response | null> {
  switch (wanted.kind) {
    case 'media':
    case 'speech':
      return (await cache.match(wanted.address, options)) ?? null;
    case 'video':
      return keptVideo(cache, wanted.address, request.headers.get('Range'));
    case 'peaks':
      return keptPeaks(cache, wanted, options);
  }
}

async function keptPeaks(
  cache: Cache, { trackId, framesPerPixel, start, end }: Extract<RequestKind, { kind: 'peaks' }>,
  options?: CacheQueryOptions,
): Promise<Response | null> {
  if (framesPerPixel % keptFramesPerPixel !== 0) return null;
  const address = mediaAddress.peaks(decodeURIComponent(trackId));
  const response = await cache.match(address, options);
  if (!response) {
    waveforms.delete(address);
    return null;
  }
  const whole = waveforms.get(address) ?? await response.clone().arrayBuffer();
  waveforms.delete(address);
  waveforms.set(address, whole);
  for (const oldest of waveforms.keys()) {
    if (waveforms.size <= mostWaveforms) break;
    waveforms.delete(oldest);
  }
  const made = coarserPeaks(whole, framesPerPixel, start, end);
  if (!made) return null;
  const headers = new Headers(response.headers);
  headers.delete('Content-Length');
  headers.delete('ETag');
  return new Response(made, { headers });
}

async function keptVideo(cache: Cache, address: string, header: string | null): Promise<Response | null> {
  const kept = await cache.match(address);
  if (!kept) return null;
  const { bytes, pieceBytes, contentType } = await kept.json() as VideoPieces;
  const range = rangeOf(header, bytes);
  const headers = new Headers({
    'Content-Type': contentType, 'Accept-Ranges': 'bytes', 'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  if (range === 'none') {
    headers.set('Content-Range', `bytes */${bytes}`);
    return new Response(null, { status: 416, headers });
  }
  const wanted: Range = range ?? { start: 0, end: bytes };
  headers.set('Content-Length', String(wanted.end - wanted.start));
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end - 1}/${bytes}`);
  const body = piecesOf(cache, address, wanted, pieceBytes);
  return new Response(body, { status: range ? 206 : 200, headers });
}

/** Reads one piece after the other, on demand. */
function piecesOf(cache: Cache, address: string, range: Range, pieceBytes: number): ReadableStream<Uint8Array> {
  let next = range.start;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { piece, start, end } = stretchAt(next, range, pieceBytes);
      const kept = await cache.match(mediaAddress.videoPiece(address, piece));
      if (!kept) {
        controller.error(new Error(`Piece ${piece} of ${address} is gone.`));
        return;
      }
      const bytes = new Uint8Array(await kept.arrayBuffer());
      controller.enqueue(bytes.subarray(start, end));
      next += end - start;
      if (next >= range.end) controller.close();
    },
  });
}
