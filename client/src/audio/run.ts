// A run: ranges of tracks in sequence, as one timeline whose chunks are assembled from the tracks'
// own. For the engine it is a track like any other.
import { chunkFrames, fadeFrames } from '../timeline';
import { chunkLength } from './chunkPlan';
import { LoadChunk } from './chunkLoader';
import { DecodedChunk, PlayableStretch } from './types';

/** A piece of a chunk of the run: a number of frames of a track, from a frame on. */
export interface Piece {
  readonly stretch: PlayableStretch;
  /** The frame of the track. */
  readonly from: number;
  readonly frames: number;
  /** Its offset in the chunk of the run. */
  readonly at: number;
}

/** A join, where the preceding sound comes from another range. */
export interface Join {
  /** Its offset in the chunk of the run; negative for a join in the previous chunk. */
  readonly at: number;
  /** The range that ends there. */
  readonly before: PlayableStretch;
}

/** The number of frames of a run. */
export function runLength(stretches: readonly PlayableStretch[]): number {
  return stretches.reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0);
}

/**
 * Returns the range that contains a frame of the run, and the frame of its track; past the end, the
 * last.
 */
export function placeInRun(
  stretches: readonly PlayableStretch[], frame: number,
): { index: number; frame: number } {
  let start = 0;
  for (const [index, { startFrame, endFrame }] of stretches.entries()) {
    const end = start + endFrame - startFrame;
    if (frame < end || index === stretches.length - 1) {
      return { index, frame: Math.min(endFrame, startFrame + Math.max(0, frame - start)) };
    }
    start = end;
  }
  return { index: 0, frame: 0 };
}

/** Returns the frame of the run at which a range begins. */
export function startInRun(stretches: readonly PlayableStretch[], index: number): number {
  return runLength(stretches.slice(0, index));
}

/** Returns the frame of another run with the same content; null if it has none. */
export function frameInOtherRun(
  stretches: readonly PlayableStretch[], frame: number, others: readonly PlayableStretch[],
): number | null {
  const place = placeInRun(stretches, frame);
  const trackId = stretches[place.index]?.trackId;
  const same = others.map((other, index) => ({ ...other, index })).filter((other) => (
    other.trackId === trackId && place.frame >= other.startFrame && place.frame < other.endFrame
  ));
  // A song may occur several times: choose the nearest.
  const [found] = same.sort((one, other) => Math.abs(one.index - place.index) - Math.abs(other.index - place.index));
  return found ? startInRun(others, found.index) + place.frame - found.startFrame : null;
}

/** Returns the pieces of a chunk of the run, in order. */
export function piecesOf(stretches: readonly PlayableStretch[], chunk: number): Piece[] {
  const pieces: Piece[] = [];
  const first = chunk * chunkFrames;
  let start = 0;
  stretches.forEach((stretch) => {
    const end = start + stretch.endFrame - stretch.startFrame;
    const from = Math.max(start, first);
    const to = Math.min(end, first + chunkFrames);
    if (from < to) {
      pieces.push({
        stretch, from: stretch.startFrame + from - start, frames: to - from, at: from - first,
      });
    }
    start = end;
  });
  return pieces;
}

/** Returns the joins that affect a chunk of the run, in order: its own, and one just before it. */
export function joinsOf(stretches: readonly PlayableStretch[], chunk: number): Join[] {
  const joins: Join[] = [];
  let at = -chunk * chunkFrames;
  stretches.forEach((stretch, index) => {
    const before = stretches[index - 1];
    const goesOn = before?.trackId === stretch.trackId && before.endFrame === stretch.startFrame;
    if (before && !goesOn && at > -fadeFrames && at < chunkFrames) joins.push({ at, before });
    at += stretch.endFrame - stretch.startFrame;
  });
  return joins;
}

/**
 * Fades the last value before a join to zero after it, to avoid a click; all frames of both sides
 * stay. The curve is that of the engine's declicker: 3x² − 2x³.
 */
export function release(samples: Float32Array, join: number, last: number): void {
  for (
    let frame = Math.max(0, -join); frame < fadeFrames && join + frame < samples.length; frame += 1
  ) {
    const x = (fadeFrames - 1 - frame) / fadeFrames;
    samples[join + frame] = (samples[join + frame] ?? 0) + last * x * x * (3 - 2 * x);
  }
}

/** Loads chunks of a run. `loadTrack` loads a chunk of a track; the latest two are cached. */
export function loadRun(
  stretches: readonly PlayableStretch[],
  loadTrack: (stretch: PlayableStretch, chunk: number, frames: number, signal: AbortSignal) => Promise<DecodedChunk>,
): LoadChunk {
  const latest = new Map<string, DecodedChunk>();
  const chunkOf = async (stretch: PlayableStretch, chunk: number, signal: AbortSignal): Promise<DecodedChunk> => {
    const key = `${stretch.trackId} ${chunk}`;
    const known = latest.get(key);
    if (known) return known;
    const frames = chunkLength(chunk, stretch.trackLengthFrames);
    const decoded = await loadTrack(stretch, chunk, frames, signal);
    latest.set(key, decoded);
    for (const old of [...latest.keys()].slice(0, -2)) latest.delete(old);
    return decoded;
  };
  return async (chunk, signal) => {
    const length = chunkLength(chunk, runLength(stretches));
    const made = { left: new Float32Array(length), right: new Float32Array(length) };
    for (const { stretch, from, frames, at } of piecesOf(stretches, chunk)) {
      for (let done = 0; done < frames;) {
        const source = Math.floor((from + done) / chunkFrames);
        const offset = from + done - source * chunkFrames;
        const count = Math.min(frames - done, chunkFrames - offset);
        const decoded = await chunkOf(stretch, source, signal);
        for (const channel of ['left', 'right'] as const) {
          made[channel].set(decoded[channel].subarray(offset, offset + count), at + done);
        }
        done += count;
      }
    }
    for (const { at, before } of joinsOf(stretches, chunk)) {
      const source = Math.floor((before.endFrame - 1) / chunkFrames);
      const ends = at > 0 ? made : await chunkOf(before, source, signal);
      const end = at > 0 ? at : before.endFrame - source * chunkFrames;
      for (const channel of ['left', 'right'] as const) {
        release(made[channel], at, ends[channel][end - 1] ?? 0);
      }
    }
    return made;
  };
}
