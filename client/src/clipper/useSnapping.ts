// Snapping and its data: counts, peaks for silence, decoded samples for zero crossings.

import { useEffect, useMemo } from 'react';
import { loadChunk, servedChunks } from '../audio/chunkLoader';
import { chunkLength } from '../audio/chunkPlan';
import type { DecodedChunk } from '../audio/types';
import { resolutionFor, type Peaks } from '../ui/peaks';
import { peaksCache } from '../ui/peaksCache';
import { chunkFrames } from '../timeline';
import {
  nearest, nearestOfAll, quietest, reachOf, zeroCrossing, zeroReach, type CountFrames, type SnapKind,
} from './model/snapping';
import type { DragHint } from './stage/types';

/** The minimum number of pairs of peaks in a whole track: fine enough to find a pause. */
const finePairs = 60_000;
/** The number of cached decoded chunks, of 3.84 MB each. */
const mostChunks = 4;

/** Finds the snap positions of one track. */
export class Snapper {
  kinds: readonly SnapKind[] = [];
  attacks: readonly number[] = [];
  counts: CountFrames | null = null;
  peaks: Peaks | null = null;
  /** The peaks that are being loaded. */
  arriving: Promise<void> | null = null;
  private readonly chunks = new Map<number, DecodedChunk>();
  private readonly underWay = new Map<number, Promise<void>>();

  constructor(private readonly trackId: string, private readonly lengthFrames: number) {}

  /** Returns the snap position near `frame`, with the loaded data; requests missing data. */
  snap(frame: number, hint: DragHint): number {
    if (hint.freely || this.kinds.length === 0) return frame;
    const reach = reachOf(hint.framesPerPixel);
    const others = [
      this.kinds.includes('attacks') ? nearest(this.attacks, frame, reach) : null,
      this.kinds.includes('silence') && this.peaks ? quietest(this.peaks, frame, reach) : null,
    ];
    const near = nearestOfAll(this.kinds.includes('counts') ? this.counts : null, others, frame, reach) ?? frame;
    if (!this.kinds.includes('zero')) return near;
    const index = this.chunkOf(near);
    const chunk = this.chunks.get(index);
    if (!chunk) {
      void this.load(index);
      return near;
    }
    return zeroCrossing(chunk.left, chunk.right, index * chunkFrames, near, zeroReach) ?? near;
  }

  /**
   * Waits for the peaks and samples that the final position of a frame needs; null if all are
   * loaded.
   */
  missing(frame: number, hint: DragHint): Promise<void> | null {
    if (hint.freely) return null;
    if (this.arriving && this.kinds.includes('silence')) {
      return this.arriving.then(() => this.missing(frame, hint) ?? undefined);
    }
    if (!this.kinds.includes('zero')) return null;
    const index = this.chunkOf(this.snap(frame, hint));
    return this.chunks.has(index) ? null : this.load(index);
  }

  private chunkOf(frame: number): number {
    const last = Math.max(0, Math.ceil(this.lengthFrames / chunkFrames) - 1);
    return Math.min(last, Math.max(0, Math.floor(frame / chunkFrames)));
  }

  private load(index: number): Promise<void> {
    const known = this.underWay.get(index);
    if (known) return known;
    const frames = chunkLength(index, this.lengthFrames);
    const loading = loadChunk(servedChunks, this.trackId, index, frames, new AbortController().signal)
      .then((chunk) => {
        this.chunks.set(index, chunk);
        for (const old of this.chunks.keys()) {
          if (this.chunks.size > mostChunks) this.chunks.delete(old);
        }
      })
      // Without the samples a border stays where it was released; the player reports the error.
      .catch(() => undefined)
      .finally(() => this.underWay.delete(index));
    this.underWay.set(index, loading);
    return loading;
  }
}

/** Returns the snapper of a track, and starts to load its data. */
export function useSnapping(
  trackId: string, lengthFrames: number, kinds: readonly SnapKind[], attacks: readonly number[],
  counts: CountFrames | null,
): Snapper {
  const snapper = useMemo(() => new Snapper(trackId, lengthFrames), [trackId, lengthFrames]);
  snapper.kinds = kinds;
  snapper.attacks = attacks;
  snapper.counts = counts;
  const needsPeaks = kinds.includes('silence');
  useEffect(() => {
    if (!needsPeaks || snapper.peaks || snapper.arriving) return;
    snapper.arriving = peaksCache.get(trackId, resolutionFor(lengthFrames, finePairs)).then(
      (peaks) => {
        snapper.peaks = peaks;
      },
      // Requested again when the setting changes; without peaks nothing snaps to silence.
      () => undefined,
    ).then(() => {
      snapper.arriving = null;
    });
  }, [needsPeaks, snapper, trackId, lengthFrames]);
  return snapper;
}
