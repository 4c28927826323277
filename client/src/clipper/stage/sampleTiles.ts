// Tiles of single samples, taken from the practice rendition's chunks: at this zoom the eight bits
// of peaks would be visible as steps.

import { loadChunk, servedChunks, type ChunkSource } from '../../audio/chunkLoader';
import { chunkLength } from '../../audio/chunkPlan';
import { chunkFrames } from '../../timeline';

/** The number of cached decoded chunks, as one channel: 1.92 MB each. */
const mostChunks = 3;

/** The value of a full-scale sample in the units of peaks. */
const steps = 128;

/** The samples of one track, with both channels mixed like in peaks. */
export class SampleTiles {
  private readonly chunks = new Map<number, Promise<Float32Array>>();

  constructor(
    private readonly trackId: string, private readonly lengthFrames: number,
    private readonly chunkSource: ChunkSource = servedChunks,
  ) {}

  /** Returns frames `start` … `end` as pairs of equal values, −128 … 128. */
  async fetch(start: number, end: number): Promise<Float32Array> {
    const pairs = new Float32Array((end - start) * 2);
    for (let chunk = Math.floor(start / chunkFrames); chunk * chunkFrames < end; chunk += 1) {
      const samples = await this.chunk(chunk);
      const first = chunk * chunkFrames;
      const from = Math.max(start, first);
      const to = Math.min(end, first + samples.length);
      for (let frame = from; frame < to; frame += 1) {
        const value = (samples[frame - first] ?? 0) * steps;
        pairs[(frame - start) * 2] = value;
        pairs[(frame - start) * 2 + 1] = value;
      }
    }
    return pairs;
  }

  private chunk(chunk: number): Promise<Float32Array> {
    const here = this.chunks.get(chunk);
    if (here) return here;
    const loaded = this.load(chunk);
    this.chunks.set(chunk, loaded);
    for (const oldest of this.chunks.keys()) {
      if (this.chunks.size <= mostChunks) break;
      this.chunks.delete(oldest);
    }
    loaded.catch(() => {
      // All waiting callers get the error; the next request tries again.
      if (this.chunks.get(chunk) === loaded) this.chunks.delete(chunk);
    });
    return loaded;
  }

  private async load(chunk: number): Promise<Float32Array> {
    // Never aborted: other tiles of the same chunk may wait for it.
    const { signal } = new AbortController();
    const { left, right } = await loadChunk(
      this.chunkSource, this.trackId, chunk, chunkLength(chunk, this.lengthFrames), signal);
    return left.map((sample, index) => (sample + (right[index] ?? 0)) / 2);
  }
}
