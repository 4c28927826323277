// The layout of the browser's caches, and the messages between the worker and the page.

import type { NoticePlace } from './notice';

/** The prefix of a cache name of one version of the app; the version follows. */
export const appCachePrefix = 'segmance-app-';

/** The cache of songs, waveforms and videos. */
export const mediaCacheName = 'segmance-media';

const linkCachePrefix = 'segmance-link-media-';

/** The name of the cache of what a link shows: apart, so that neither it nor the library's media are taken for unneeded. */
export const mediaCacheOfLink = (id: string): string => linkCachePrefix + id;

/** Returns the caches in which media may be, the library's first. */
export async function mediaCaches(): Promise<Cache[]> {
  const names = await caches.keys();
  return Promise.all([mediaCacheName, ...names.filter((name) => name.startsWith(linkCachePrefix))].map((name) => caches.open(name)));
}

/** Videos are stored in pieces of this size, so that an interrupted download can continue. */
export const videoPieceBytes = 4 << 20;

/** The entry under the address of a video. */
export interface VideoPieces {
  readonly bytes: number;
  readonly pieceBytes: number;
  readonly contentType: string;
}

/** The messages of a page to the worker. */
export type ToWorker =
  | { readonly kind: 'sweep' }
  /** To the worker that waits: become the active one. */
  | { readonly kind: 'takeOver' }
  /** To the active one: leave the requests that have no answer yet, as the browser would wait for them. */
  | { readonly kind: 'giveWay' };

/** The questions of the worker to a page about notifications, answered by true or false through the port. */
export type ToPage =
  /** Whether the page shows this routine at the moment. */
  | { readonly kind: 'isShown'; readonly routine: string }
  /** Lets the page go to the place of a comment. */
  | { readonly kind: 'goTo'; readonly place: NoticePlace };

/** The worker's question for a page's version, which is answered through the port. */
export const versionQuestion = 'version?';
