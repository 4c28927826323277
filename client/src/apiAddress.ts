// The addresses of the server's API: what is kept on a device is kept under the text that pages ask for.

import { analysisVersion, peaksVersion } from './generated/records';

/** The finest waveform that the server has ready; all coarser ones can be made of it. */
export const keptFramesPerPixel = 64;

const one = (collection: string, id: string): string => `/api/${collection}/${encodeURIComponent(id)}`;
const track = (id: string): string => one('tracks', id);
const video = (id: string): string => one('videos', id);

/** The addresses of media, as pages ask for them and as they are kept. */
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
  /** Under which a piece of a video is kept; the server is asked for a range. */
  videoPiece: (videoAddress: string, piece: number) => `${videoAddress}?piece=${piece}`,
} as const;

/** Gives the address under which a kept file is needed: that of the video for a piece of it. */
export const neededAddress = (address: string): string => address.replace(/\?piece=\d+$/, '');

/** The path of an address: what is kept of an earlier version has the same. */
export const pathOf = (address: string): string => address.replace(/\?.*$/, '');

/** All other addresses. Those with a query of their own take it as text. */
export const apiAddress = {
  sync: '/api/sync',
  events: '/api/events',
  health: '/api/health',
  sample: '/api/sample',
  remote: '/api/remote',
  uploads: '/api/uploads',
  records: (kind: 'track' | 'video') => `/api/${kind}s`,
  record: (kind: 'track' | 'video', id: string) => one(`${kind}s`, id),
  /** The file as it was uploaded. */
  original: (kind: 'track' | 'video', id: string) => `${one(`${kind}s`, id)}/original`,
  history: (type: string, id: string) => `${one(`records/${type}`, id)}/history`,
  job: (id: string) => one('jobs', id),
  /** A stretch of a track as a file. */
  clip: (trackId: string, query: string) => `${track(trackId)}/audio?${query}`,
  /** Where in the music a video begins. */
  alignment: (videoId: string) => `${video(videoId)}/alignment`,
  /** Several clips as one zip. */
  zips: '/api/exports',
  zip: (job: string) => one('exports', job),
  /** The cue sheet and other texts, of one routine or of all. */
  routineExport: (routineId: string | null) => (
    routineId === null ? '/api/export' : `${one('routines', routineId)}/export`
  ),
  backup: '/api/backup',
  backups: '/api/backups',
  restore: '/api/restore',
  session: '/api/session',
  devices: '/api/devices',
  device: (id: string) => one('devices', id),
  network: '/api/network',
  authority: '/api/authority.crt',
  pairings: '/api/pairings',
  claim: (token: string) => `${one('pairings', token)}/claim`,
} as const;
