// Where things are kept in the browser's caches: the words that the worker and the page share.

import { analysisVersion, peaksVersion } from '../generated/records';

/** The cache of one version of the app is named by this and the version. */
export const appCachePrefix = 'segmance-app-';

/** The cache of songs, waveforms and videos. */
export const mediaCacheName = 'segmance-media';

/** The finest waveform that the server has ready; all coarser ones can be made of it. */
export const keptFramesPerPixel = 64;

/** Videos are kept in pieces of this size, so that a broken download goes on where it was. */
export const videoPieceBytes = 4 << 20;

const track = (id: string): string => `/api/tracks/${encodeURIComponent(id)}`;
const video = (id: string): string => `/api/videos/${encodeURIComponent(id)}`;

/** The addresses of media, as pages ask for them. */
export const mediaAddress = {
  chunk: (trackId: string, chunk: number) => `${track(trackId)}/chunks/${chunk}`,
  peaks: (trackId: string, framesPerPixel = keptFramesPerPixel) => (
    `${track(trackId)}/peaks?framesPerPixel=${framesPerPixel}&version=${peaksVersion}`
  ),
  stretchOfPeaks: (trackId: string, framesPerPixel: number, startFrame: number, endFrame: number) => (
    `${mediaAddress.peaks(trackId, framesPerPixel)}&start=${startFrame}&end=${endFrame}`
  ),
  analysis: (trackId: string) => `${track(trackId)}/analysis?version=${analysisVersion}`,
  poster: (videoId: string) => `${video(videoId)}/poster`,
  /** Kept under the address of a video is only what its pieces are; it is put there last. */
  video: (videoId: string) => `${video(videoId)}/file`,
  videoPiece: (videoId: string, piece: number) => `${video(videoId)}/file?piece=${piece}`,
} as const;

/** The path of an address: what is kept of an earlier version has the same. */
export const pathOf = (address: string): string => address.replace(/\?.*$/, '');

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
