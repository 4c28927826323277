// Classifies a request: a page of the app, one of its files, storable media, or a request for the
// server only. Pure.

import { speechPath } from '../apiAddress';

/** The requests that the worker answers. */
export type RequestKind =
  | { readonly kind: 'page' }
  | { readonly kind: 'file' }
  /** Stored under exactly this address. */
  | { readonly kind: 'media' | 'speech'; readonly address: string }
  | { readonly kind: 'video'; readonly address: string }
  | {
      readonly kind: 'peaks'; readonly address: string; readonly trackId: string;
      readonly framesPerPixel: number; readonly start: number | null; readonly end: number | null;
    };

const media = /^\/api\/(?:tracks\/[^/]+\/(?:chunks\/\d+|analysis)|videos\/[^/]+\/poster|recordings\/[^/]+\/voice)$/;
const video = /^\/api\/videos\/[^/]+\/file$/;
const peaks = /^\/api\/tracks\/([^/]+)\/peaks$/;

/** Classifies a request; null if the worker must not handle it. */
export function classify(
  request: { readonly method: string; readonly mode: string; readonly url: string }, origin: string,
): RequestKind | null {
  const { pathname, search, searchParams, origin: asked } = new URL(request.url);
  if (request.method !== 'GET' || asked !== origin) return null;
  if (pathname.startsWith('/api/')) {
    const address = pathname + search;
    if (pathname === speechPath) return { kind: 'speech', address };
    if (media.test(pathname)) return { kind: 'media', address };
    if (video.test(pathname)) return { kind: 'video', address: pathname };
    const trackId = peaks.exec(pathname)?.[1];
    if (trackId === undefined) return null;
    const framesPerPixel = wholeNumber(searchParams.get('framesPerPixel'));
    if (framesPerPixel === null) return null;
    const [start, end] = [wholeNumber(searchParams.get('start')), wholeNumber(searchParams.get('end'))];
    return { kind: 'peaks', address, trackId, framesPerPixel, start, end };
  }
  const isFile = pathname.slice(pathname.lastIndexOf('/')).includes('.');
  if (request.mode === 'navigate') return isFile ? null : { kind: 'page' };
  return isFile ? { kind: 'file' } : null;
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
