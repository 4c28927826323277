// Decides which chunks of a track are loaded, and which are kept when memory is short. Pure.
import { chunkCapacity, chunkFrames, lookAheadFrames } from '../timeline';
import { PlaybackBounds } from './bounds';
import { PlayerPart } from './types';

/** The number of decoded chunks: 24 of 3.84 MB are 92 MB. */
export const residentChunks = chunkCapacity;
/**
 * The number of chunks that are loaded and decoded at a time; each takes up to twice its size
 * meanwhile.
 */
export const chunksInWork = 2;
export interface ChunkPlan {
  /** The chunks to keep, the most urgent first; never more than there is room for. */
  keep: number[];
  /** Those of them to load, in the same order. */
  fetch: number[];
}

/** The number of frames in a chunk of a track. */
export function chunkLength(chunk: number, trackLengthFrames: number): number {
  return Math.max(0, Math.min(chunkFrames, trackLengthFrames - chunk * chunkFrames));
}

const chunkAt = (frame: number): number => Math.floor(frame / chunkFrames);

/**
 * Plans around the playhead: the next frames, the targets of a jump to A or to the part's start,
 * the frames further ahead, and those behind. While stopped, only the frames for the next start are
 * loaded.
 */
export function planChunks(
  part: PlayerPart, bounds: PlaybackBounds, frame: number, wantsToPlay: boolean, room = residentChunks,
): ChunkPlan {
  const end = Math.min(part.endFrame, part.trackLengthFrames);
  if (end <= part.startFrame) return { keep: [], fetch: [] };
  const first = chunkAt(part.startFrame);
  // Slowed-down sound needs the frames after the end of the track range, or it fades out there.
  const last = chunkAt(Math.min(end + lookAheadFrames, part.trackLengthFrames) - 1);
  const boundsFirst = chunkAt(bounds.startFrame);
  const boundsLast = chunkAt(Math.min(bounds.endFrame, end) - 1);
  // At the end, playback continues at the beginning.
  const atEnd = frame >= Math.min(bounds.endFrame, end);
  const here = atEnd ? boundsFirst : Math.min(Math.max(chunkAt(frame), first), last);

  const urgent = [here];
  if (here + 1 <= last && here !== boundsLast) urgent.push(here + 1);
  urgent.push(boundsFirst);
  if (boundsFirst < boundsLast) urgent.push(boundsFirst + 1);
  urgent.push(first);

  const ahead: number[] = [];
  for (let chunk = here + 1; chunk <= boundsLast; chunk += 1) ahead.push(chunk);
  if (bounds.repeats) for (let chunk = boundsFirst; chunk < here; chunk += 1) ahead.push(chunk);
  for (let chunk = boundsLast + 1; chunk <= last; chunk += 1) ahead.push(chunk);

  const behind: number[] = [];
  for (let chunk = here - 1; chunk >= first; chunk -= 1) behind.push(chunk);

  const keep = [...new Set([...urgent, ...ahead, ...behind])].slice(0, room);
  const worthFetching = new Set(wantsToPlay ? [...urgent, ...ahead] : urgent);
  return { keep, fetch: keep.filter((chunk) => worthFetching.has(chunk)) };
}
