// Songs and videos from the bucket itself, where the server gives addresses to it (--blob-links); from the server
// where that fails.

import type { RequestKind } from './requestKind';

/** After an address that could not be fetched, the server is asked for all media for this long. */
const restMilliseconds = 60_000;
let isOffered = false;
let restsUntil = 0;

/** The server gives addresses, or gives none any more. */
export function offerDirectMedia(isOn: boolean): void {
  isOffered = isOn;
  restsUntil = 0;
}

const chunk = /\/chunks\/\d+$/;

/** Fetches media: those that are large from the bucket, if it can be. */
export async function fetchMedia({ kind, address }: RequestKind & { address: string }, request: Request): Promise<Response> {
  const isLarge = kind === 'video' || chunk.test(address);
  if (isOffered && isLarge && performance.now() >= restsUntil) {
    const answer = await fetchDirectly(request).catch(() => null);
    if (answer) return answer;
    if (!request.signal.aborted) restsUntil = performance.now() + restMilliseconds;
  }
  return fetch(request);
}

/** What the bucket answers, as an answer of this origin; null if it does not have the file, or does not show enough. */
async function fetchDirectly(request: Request): Promise<Response | null> {
  const range = request.headers.get('Range');
  const { ok, status, headers, body } = await fetch(`${request.url}?direct=1`, {
    headers: range === null ? {} : { Range: range }, cache: request.cache, signal: request.signal,
  });
  if (!ok || (status === 206 && !headers.has('Content-Range'))) return null;
  const shown = new Headers();
  for (const name of ['Content-Type', 'Content-Length', 'Content-Range', 'Cache-Control']) {
    const value = headers.get(name);
    if (value !== null) shown.set(name, value);
  }
  return new Response(body, { status, headers: shown });
}
