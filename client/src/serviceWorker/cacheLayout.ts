// Where things are kept in the browser's caches: the words that the worker and the page share.

/** The cache of one version of the app is named by this and the version. */
export const appCachePrefix = 'segmance-app-';

/** The cache of songs, waveforms and videos. */
export const mediaCacheName = 'segmance-media';

/** Videos are kept in pieces of this size, so that a broken download goes on where it was. */
export const videoPieceBytes = 4 << 20;

/** What is kept under the address of a video. */
export interface VideoPieces {
  readonly bytes: number;
  readonly pieceBytes: number;
  readonly contentType: string;
}

/** What a page says to the worker. */
export type ToWorker = { readonly kind: 'takeOver' } | { readonly kind: 'sweep' };

/** What the worker asks a page: its version, to be told through the port. */
export const versionQuestion = 'version?';
