// The exchange of a page that was opened by a link: it fetches what the link shows, and sends nothing.

import { apiAddress } from '../apiAddress';
import type { Fetch } from './environment';
import type { SyncAnswer } from './wire';

/** What the server answers to `GET /api/links/{id}/records`. */
interface LinkAnswer {
  readonly seq: number;
  readonly records: SyncAnswer['records'];
}

/**
 * Returns a `fetch` that answers a request for what is new with all that the link shows. `onAnswer` hears the status of
 * each answer: 401 where the link is not open in this browser, or is revoked; 404 or 410 once it has ended.
 */
export function fetchOfLink(id: string, fetch: Fetch, onAnswer: (status: number) => void): Fetch {
  return async (url, request) => {
    if (url !== apiAddress.sync) return fetch(url, request);
    // The browser keeps the answer, and asks only whether it is still the same.
    const response = await fetch(apiAddress.linkRecords(id), { signal: request.signal ?? null, cache: 'no-cache' });
    onAnswer(response.status);
    if (!response.ok) return response;
    const { seq, records } = await response.json() as LinkAnswer;
    const version = response.headers.get('ETag') ?? seq;
    const answer: SyncAnswer = {
      seq, records, rejected: [], more: false, clock: null, purged: 0, person: null, spaces: null, people: null,
      // What left the link's scope must go from the copy: after any change it counts as another library, which is
      // fetched as a whole.
      library: `${id}-${version}`,
    };
    return new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } });
  };
}
