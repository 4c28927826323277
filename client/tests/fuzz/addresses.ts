// The address bar, and what the service worker reads of requests.

import { parseRoute, pathOf } from '../../src/services/routes';
import { respondWithMedia } from '../../src/serviceWorker/media';
import { rangeOf, stretchAt } from '../../src/serviceWorker/ranges';
import { wantedBy } from '../../src/serviceWorker/wants';
import { holds, same, some, type Harness, type Input } from './harness';

const origin = 'https://studio.local';

/** Gives an address as a browser reads it; null for none, or one elsewhere. */
function addressOf(text: string): URL | null {
  try {
    const address = new URL(text, origin);
    return address.origin === origin ? address : null;
  } catch {
    return null;
  }
}

const routes: Harness<string> = {
  name: 'routes',
  promise: 'each address is a place, and the place has an address that leads there',
  seeds: [
    '/', '/routines/0193a5b0-0000-7000-8000-000000000001/parts/0193a5b0-0000-7000-8000-000000000002',
    '/settings/devices', '/clipper/t%2F1%20%C3%A4/parts/p', '/pair#Ab3_dEf-GhIjKlMnOpQrSt', '/install',
    '/routines/%E0%A4%A', '/settings/other', '/routines//x', '/clipper', '/routines/a/parts',
  ],
  words: [
    '/', '//', '%', '%2F', '%25', '%00', '%ED%A0%80', '..', '%2e%2e', '\\', '#', '?', 'parts', 'routines', 'settings',
    'clipper', 'constructor', '__proto__', 'ä',
  ],
  shortRounds: 2_500,
  trial: (text) => {
    const address = addressOf(text);
    if (!address) return '';
    const route = parseRoute(address.pathname, address.hash);
    if (route.page === 'pair') {
      same(pathOf(route), '/pair', 'the token is in the history');
      holds(address.hash.endsWith(route.token), 'the token is another one');
      return 'pair';
    }
    const path = pathOf(route);
    same(parseRoute(path), route, `${path} leads elsewhere`);
    const again = new URL(path, origin);
    holds(again.origin === origin, `${path} leads to another server`);
    same(parseRoute(again.pathname, again.hash), route, `a browser reads ${path} otherwise`);
    const first = address.pathname.split('/').find((segment) => segment !== '');
    const isNamed = route.page === 'routines' || decodeURIComponent(first ?? '').startsWith(route.page);
    holds(isNamed, `${first} is ${route.page}`);
    // The names of its records are endless, those of pages are not.
    return Object.entries(route).map(([name, value]) => (name.endsWith('Id') ? value && name : value)).join();
  },
};

const ranges: Harness<string> = {
  name: 'ranges',
  promise: 'a range lies within its file, is the one that was asked for, and its pieces are all of it',
  seeds: [
    '100 bytes=0-', '100 bytes=0-0', '100 bytes=10-99', '100 bytes=-5', '1 bytes=1-', '0 bytes=0-', '100 bytes=5-4',
    '4194305 bytes=4194303-',
  ],
  words: ['bytes=', '-', ',', ' ', '0-', '-0', '4194304', '99'],
  shortRounds: 3_000,
  trial: (text) => {
    const [size = '', ...rest] = text.split(' ');
    const bytes = /^\d{1,9}$/.test(size) ? Number(size) : 100;
    const asked = rest.join(' ');
    const range = rangeOf(asked, bytes);
    const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(asked.replace(/\s/g, '')) ?? [];
    const [from, to] = [first, last].map((digits) => (digits === '' ? null : BigInt(digits)));
    if (range === null) {
      const isBackwards = typeof from === 'bigint' && typeof to === 'bigint' && to < from;
      holds((from ?? to ?? null) === null || isBackwards, `${asked} is a range`);
      return '';
    }
    const end = BigInt(bytes);
    if (range === 'none') {
      holds(typeof from === 'bigint' ? from >= end : to === 0n || bytes === 0, `${asked} has bytes`);
      return 'none';
    }
    holds(0 <= range.start && range.start < range.end && range.end <= bytes, `${range.start} to ${range.end}`);
    const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
    const start = from ?? end - least(to ?? 0n, end);
    const until = typeof from === 'bigint' && typeof to === 'bigint' ? least(to + 1n, end) : end;
    holds(BigInt(range.start) === start && BigInt(range.end) === until, `${asked} is ${range.start} to ${range.end}`);
    const pieceBytes = Math.max(1, Math.ceil(bytes / 7));
    let next = range.start;
    for (let count = 0; next < range.end; count += 1) {
      const { piece, start: at, end: behind } = stretchAt(next, range, pieceBytes);
      holds(count < 8 && piece * pieceBytes + at === next, 'a piece is another one');
      holds(at < behind && behind <= pieceBytes, 'a piece is too short');
      next += behind - at;
    }
    same(next, range.end, 'the pieces are more');
    return `${first.length > 0} ${last.length > 0} ${some(Math.floor(range.start / pieceBytes))}`;
  },
};

/** What the worker keeps: nothing. */
const nothingKept = { open: () => Promise.resolve({ match: () => Promise.resolve(undefined) }) };

const wants: Harness<string> = {
  name: 'wants',
  promise: 'the worker answers only what is its own, and passes on all else',
  seeds: [
    'GET cors /api/tracks/0193/peaks?framesPerPixel=64',
    'GET cors /api/tracks/0193/peaks?framesPerPixel=128&start=0&end=256', 'GET no-cors /api/tracks/0193/chunks/12',
    'GET cors /api/tracks/0193/analysis', 'GET no-cors /api/videos/a%20b/file', 'GET no-cors /api/videos/v/poster',
    'GET navigate /routines/x', 'GET no-cors /app-1234.js', 'POST cors /api/sync',
    'GET cors /api/tracks/%C3%A4/peaks?framesPerPixel=64',
  ],
  words: [
    '/', '.', '%', '%2F', '%E0', '?', '&', '=', '#', 'framesPerPixel=64', 'start=', 'end=', 'peaks', 'chunks/0',
    'poster', 'navigate ', '//other.host', '..', '١',
  ],
  trial: async (text) => {
    const [method = '', mode = '', ...rest] = text.split(' ');
    let url: string;
    try {
      ({ href: url } = new URL(rest.join(' '), origin));
    } catch {
      return '';
    }
    const wanted = wantedBy({ method, mode, url }, origin);
    const { pathname, search, origin: asked } = new URL(url);
    if (wanted === null) return '';
    holds(method === 'GET' && asked === origin, 'it is not the worker’s to answer');
    holds(pathname.startsWith('/api/') === !['page', 'file'].includes(wanted.kind), `${pathname} is a ${wanted.kind}`);
    if (wanted.kind === 'page') holds(mode === 'navigate', 'a page is shown where none was asked for');
    if (wanted.kind === 'page' || wanted.kind === 'file') return wanted.kind;
    const path = wanted.kind === 'peaks' ? pathname + search : pathname;
    same(wanted.address, path, 'it is kept under the address of another');
    if (wanted.kind === 'peaks') {
      for (const name of ['framesPerPixel', 'start', 'end'] as const) {
        const said = new URL(url).searchParams.get(name);
        const number = wanted[name];
        holds(number === null ? !/^\d{1,15}$/.test(said ?? '') : Number(said) === number, `${name} is ${number}`);
        holds(number === null || Number.isSafeInteger(number), `${name} is ${number}`);
      }
    }
    const before = Object.getOwnPropertyDescriptor(globalThis, 'caches');
    Object.defineProperty(globalThis, 'caches', { configurable: true, value: nothingKept });
    const fetched = globalThis.fetch;
    globalThis.fetch = (async () => new Response('from the server')) as typeof globalThis.fetch;
    try {
      const answer = await respondWithMedia(wanted, new Request(url));
      same(await answer.text(), 'from the server', 'what is not kept is answered by another');
    } finally {
      globalThis.fetch = fetched;
      if (before) Object.defineProperty(globalThis, 'caches', before);
      else Reflect.deleteProperty(globalThis, 'caches');
    }
    return `${wanted.kind} ${search === ''}`;
  },
};

/** All of them. */
export const addresses = [routes, ranges, wants] as unknown as readonly Harness<Input>[];
