// Loads the tiles that a view wants: the most urgent first, a few at a time, with cancellation and
// retries.

import { mediaAddress } from '../../apiAddress';
import { parsePeaks } from '../../ui/peaks';
import { SampleTiles } from './sampleTiles';
import { tileFrames, TileStore, type Tile, type TileName } from './tiles';

/** Fetches a tile of one track. */
export type FetchTile = (name: TileName, signal: AbortSignal) => Promise<Tile>;

/** Calls back after some milliseconds; returns a function that cancels it. */
export type Later = (milliseconds: number, act: () => void) => () => void;

interface Handlers {
  /** A tile has arrived. */
  onTile(): void;
  /** Tiles can't be loaded (true), or can be loaded again. */
  onTrouble(isInTrouble: boolean): void;
}

/** Coarser waveforms are derived from the stored one. */
const finestKept = 32;
const atOnce = 3;
const retryMilliseconds = [500, 1_500, 4_000, 10_000];

/** Loads single samples from the practice rendition, and everything coarser as peaks. */
export function fetchTiles(trackId: string, lengthFrames: number): FetchTile {
  const samples = new SampleTiles(trackId, lengthFrames);
  return async (name, signal) => {
    const { start, end } = tileFrames(name, lengthFrames);
    if (name.resolution === 1) return samples.fetch(start, end);
    let response: Response;
    try {
      response = await fetch(mediaAddress.stretchOfPeaks(trackId, name.resolution, start, end), { signal });
    } catch (failure) {
      // Without a network, resolutions finer than the stored waveform are computed from the chunks,
      // if they are stored.
      if (signal.aborted || name.resolution > finestKept) throw failure;
      return reducedSamples(await samples.fetch(start, Math.min(end, lengthFrames)), name.resolution);
    }
    if (!response.ok) throw new Error(`The waveform could not be loaded (${response.status}).`);
    const peaks = parsePeaks(await response.arrayBuffer());
    // An answer of another length would be drawn at wrong times.
    if (peaks.framesPerPixel !== name.resolution || peaks.pairs.length !== ((end - start) / name.resolution) * 2) {
      throw new Error('The waveform does not belong to this stretch.');
    }
    return peaks.pairs;
  };
}

/** Reduces pairs of single samples to the lowest and highest of each `resolution` of them. */
export function reducedSamples(pairs: Float32Array, resolution: number): Float32Array {
  const count = Math.ceil(pairs.length / 2 / resolution);
  const reduced = new Float32Array(count * 2);
  for (let pair = 0; pair < count; pair += 1) {
    let lowest = Infinity;
    let highest = -Infinity;
    const until = Math.min((pair + 1) * resolution * 2, pairs.length);
    for (let at = pair * resolution * 2; at < until; at += 2) {
      lowest = Math.min(lowest, pairs[at] ?? 0);
      highest = Math.max(highest, pairs[at] ?? 0);
    }
    reduced[pair * 2] = lowest;
    reduced[pair * 2 + 1] = highest;
  }
  return reduced;
}

const afterTimer: Later = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

const keyOf = ({ resolution, index }: TileName): string => `${resolution}/${index}`;

/** Loads the tiles of one track. */
export class TileLoader {
  readonly store = new TileStore();
  private wanted: readonly TileName[] = [];
  private readonly running = new Map<string, AbortController>();
  private failures = 0;
  private cancelRetry: (() => void) | null = null;
  private isClosed = false;

  constructor(
    private readonly fetchTile: FetchTile, private readonly handlers: Handlers,
    private readonly later: Later = afterTimer,
  ) {}

  /** Sets the wanted tiles, the most urgent first; cancels the others. */
  want(names: readonly TileName[]): void {
    this.wanted = names;
    const keys = new Set(names.map(keyOf));
    for (const [key, controller] of this.running) {
      if (keys.has(key)) continue;
      controller.abort();
      this.running.delete(key);
    }
    this.startNext();
  }

  /** Retries failed tiles at once. */
  retry = (): void => {
    this.cancelRetry?.();
    this.cancelRetry = null;
    this.startNext();
  };

  /** Cancels everything; no notifications follow. */
  close(): void {
    this.isClosed = true;
    this.cancelRetry?.();
    this.want([]);
  }

  private startNext(): void {
    if (this.isClosed) return;
    if (this.wanted.every((name) => this.store.has(name))) {
      // The failed tiles are no longer wanted.
      this.cancelRetry?.();
      this.cancelRetry = null;
      this.recover();
    }
    if (this.cancelRetry) return;
    for (const name of this.wanted) {
      if (this.running.size >= atOnce) return;
      if (!this.store.has(name) && !this.running.has(keyOf(name))) this.start(name);
    }
  }

  private start(name: TileName): void {
    const key = keyOf(name);
    const controller = new AbortController();
    this.running.set(key, controller);
    const settle = (act: () => void): void => {
      if (controller.signal.aborted) return;
      this.running.delete(key);
      act();
      this.startNext();
    };
    this.fetchTile(name, controller.signal).then(
      (tile) => settle(() => this.arrived(name, tile)),
      () => settle(() => this.failed()),
    );
  }

  private arrived(name: TileName, tile: Tile): void {
    this.store.put(name, tile);
    this.recover();
    this.handlers.onTile();
  }

  private recover(): void {
    if (this.failures > 0) this.handlers.onTrouble(false);
    this.failures = 0;
  }

  private failed(): void {
    const pause = retryMilliseconds[Math.min(this.failures, retryMilliseconds.length - 1)] ?? 0;
    this.failures += 1;
    if (this.failures === 2) this.handlers.onTrouble(true);
    this.cancelRetry ??= this.later(pause, this.retry);
  }
}
