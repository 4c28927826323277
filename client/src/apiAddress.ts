// The addresses of the server's API. Media on a device are stored under the same text that pages
// request.

import { analysisVersion, peaksVersion } from './generated/records';
import { speechVersion, type SpeechLanguage } from './generated/speech';

/** The finest waveform that the server stores; all coarser ones can be derived from it. */
export const keptFramesPerPixel = 64;

const one = (collection: string, id: string): string => `/api/${collection}/${encodeURIComponent(id)}`;
const track = (id: string): string => one('tracks', id);
const video = (id: string): string => one('videos', id);

/** The path of every spoken text: which one, only the query says. */
export const speechPath = '/api/speech';

/** The addresses of media, as pages request them and as they are stored. */
export const mediaAddress = {
  chunk: (trackId: string, chunk: number) => `${track(trackId)}/chunks/${chunk}`,
  peaks: (trackId: string, framesPerPixel = keptFramesPerPixel) => (
    `${track(trackId)}/peaks?framesPerPixel=${framesPerPixel}&version=${peaksVersion}`
  ),
  stretchOfPeaks: (trackId: string, framesPerPixel: number, startFrame: number, endFrame: number) => (
    `${mediaAddress.peaks(trackId, framesPerPixel)}&start=${startFrame}&end=${endFrame}`
  ),
  analysis: (trackId: string) => `${track(trackId)}/analysis?version=${analysisVersion}`,
  /**
   * A name as a voice file with one recording. Texts that differ only in their spaces, or in how a letter is
   * composed, have one address.
   */
  speech: (language: SpeechLanguage, text: string) => (
    `${speechPath}?language=${language}&version=${speechVersion}`
    + `&text=${encodeURIComponent(text.normalize('NFC').replace(/\s+/gu, ' ').trim())}`
  ),
  /** The recorded name of a move. */
  voice: (recordingId: string) => `${one('recordings', recordingId)}/voice`,
  poster: (videoId: string) => `${video(videoId)}/poster`,
  /** The entry under a video's address only lists its pieces; it is stored last. */
  video: (videoId: string) => `${video(videoId)}/file`,
  /** The key under which a piece of a video is stored; the server gets a range request. */
  videoPiece: (videoAddress: string, piece: number) => `${videoAddress}?piece=${piece}`,
} as const;

/** Returns the address that a stored file belongs to: that of the video for one of its pieces. */
export const neededAddress = (address: string): string => address.replace(/\?piece=\d+$/, '');

/**
 * The path of an address; stored files of an earlier version have the same path. Of a spoken text no earlier
 * version is used, since its path is that of all others.
 */
export const pathOf = (address: string): string => (
  address.startsWith(speechPath) ? address : address.replace(/\?.*$/, '')
);

/** The types of records that an upload becomes. */
export type MediaKind = 'track' | 'video' | 'recording';

/** All other addresses. Those with a query take it as text. */
export const apiAddress = {
  sync: '/api/sync',
  events: '/api/events',
  health: '/api/health',
  sample: '/api/sample',
  remote: '/api/remote',
  clock: '/api/clock',
  push: '/api/push',
  uploads: '/api/uploads',
  records: (kind: MediaKind) => `/api/${kind}s`,
  record: (kind: MediaKind, id: string) => one(`${kind}s`, id),
  /** The file as it was uploaded. */
  original: (kind: MediaKind, id: string) => `${one(`${kind}s`, id)}/original`,
  history: (type: string, id: string) => `${one(`records/${type}`, id)}/history`,
  /** The group that a routine belongs to. */
  routineSpace: (id: string) => `${one('routines', id)}/space`,
  lead: (id: string) => `${one('routines', id)}/lead`,
  leadFollowers: (id: string) => `${one('routines', id)}/lead/followers`,
  routineChanges: (id: string, since: number) => `${one('routines', id)}/changes?since=${since}`,
  job: (id: string) => one('jobs', id),
  /** A range of a track as a file. */
  clip: (trackId: string, query: string) => `${track(trackId)}/audio?${query}`,
  /** Where in the music a video begins. */
  alignment: (videoId: string) => `${video(videoId)}/alignment`,
  /** Several clips as one zip. */
  zips: '/api/exports',
  zip: (job: string) => one('exports', job),
  /** The cue sheet and other text formats, of one routine or of all. */
  routineExport: (routineId: string | null) => (
    routineId === null ? '/api/export' : `${one('routines', routineId)}/export`
  ),
  /** An eight-count sheet to be filled in by hand. */
  emptyCountSheet: '/api/export/empty-countsheet',
  backup: '/api/backup',
  backups: '/api/backups',
  restore: '/api/restore',
  session: '/api/session',
  devices: '/api/devices',
  device: (id: string) => one('devices', id),
  people: '/api/people',
  person: (id: string) => one('people', id),
  groups: '/api/groups',
  group: (id: string) => one('groups', id),
  member: (group: string, person: string) => `${one('groups', group)}/members/${encodeURIComponent(person)}`,
  signIn: '/api/sign-in',
  signInByPassword: '/api/sign-in/password',
  signInChallenge: '/api/sign-in/challenge',
  signInByPasskey: '/api/sign-in/passkey',
  signInByAccount: '/api/sign-in/provider',
  credentials: (person: string) => `${one('people', person)}/credentials`,
  password: (person: string) => `${one('people', person)}/password`,
  accounts: (person: string) => `${one('people', person)}/accounts`,
  passkeys: (person: string) => `${one('people', person)}/passkeys`,
  network: '/api/network',
  authority: '/api/authority.crt',
  links: '/api/links',
  linksOf: (routineId: string) => `/api/links?routine=${encodeURIComponent(routineId)}`,
  link: (id: string) => one('links', id),
  openLink: (id: string) => `${one('links', id)}/open`,
  /** What a link shows. */
  linkRecords: (id: string) => `${one('links', id)}/records`,
  /** The code of a link's address. */
  linkCode: (id: string) => `${one('links', id)}/code`,
  pairings: '/api/pairings',
  /** Whose device it becomes that uses a code. */
  pairing: (token: string) => one('pairings', token),
  claim: (token: string) => `${one('pairings', token)}/claim`,
} as const;
