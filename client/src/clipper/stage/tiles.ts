// The tiles of peaks from the server, and which of them a view needs. Pure.

import { endFrame, shownFrames, type Viewport } from './viewport';

/** Pairs in a tile. One tile of the coarsest resolution contains the whole track. */
export const tilePairs = 8_192;

/** Names a tile: the `index`th range of `tilePairs` pairs of `resolution` frames each. */
export interface TileName {
  /** Frames in a pair; a power of two. */
  readonly resolution: number;
  readonly index: number;
}

/**
 * Alternating lowest and highest sample of each pair, −128 … 127; not in whole steps for resolution
 * 1, since steps would be visible at that zoom.
 */
export type Tile = Int8Array | Float32Array;

/** Returns the resolution at which the whole track is one tile. */
export function coarsestResolution(lengthFrames: number): number {
  let resolution = 1;
  while (resolution * tilePairs < lengthFrames) resolution *= 2;
  return resolution;
}

/** Returns the coarsest power of two that still has a separate pair for each column. */
export function resolutionFor(framesPerColumn: number, lengthFrames: number): number {
  const coarsest = coarsestResolution(lengthFrames);
  let resolution = 1;
  while (resolution < coarsest && resolution * 2 <= framesPerColumn) resolution *= 2;
  return resolution;
}

/**
 * Returns the frames of a tile; the end is that of its last pair, at most one pair after the
 * track's.
 */
export function tileFrames(name: TileName, lengthFrames: number): { start: number; end: number } {
  const frames = name.resolution * tilePairs;
  const last = Math.ceil(lengthFrames / name.resolution) * name.resolution;
  return { start: name.index * frames, end: Math.min((name.index + 1) * frames, last) };
}

/**
 * Returns the tiles that a view wants, the most urgent first: the one of the whole track, the
 * visible ones, their neighbours for panning, and the next coarser ones for zooming out.
 */
export function wantedTiles(view: Viewport, devicePixelRatio: number): TileName[] {
  const { lengthFrames } = view;
  const coarsest = coarsestResolution(lengthFrames);
  const resolution = resolutionFor(view.framesPerPixel / devicePixelRatio, lengthFrames);
  const wanted: TileName[] = [{ resolution: coarsest, index: 0 }];
  const add = (of: number, startFrame: number, end: number): void => {
    const last = Math.floor((lengthFrames - 1) / (of * tilePairs));
    const from = Math.max(0, Math.floor(startFrame / (of * tilePairs)));
    const to = Math.min(last, Math.floor(Math.max(startFrame, end - 1) / (of * tilePairs)));
    for (let index = from; index <= to; index += 1) {
      if (!wanted.some((name) => name.resolution === of && name.index === index)) {
        wanted.push({ resolution: of, index });
      }
    }
  };
  const start = view.startFrame;
  const end = endFrame(view);
  // One more pair on both sides: for columns at the edges, and for the line to the sample outside.
  add(resolution, start - resolution, end + resolution);
  add(resolution, start - shownFrames(view) / 2, end + shownFrames(view) / 2);
  if (resolution < coarsest) add(resolution * 2, start, end);
  return wanted;
}

const keyOf = ({ resolution, index }: TileName): string => `${resolution}/${index}`;

/** The loaded tiles; the least recently used are evicted beyond a number of bytes. */
export class TileStore {
  private readonly tiles = new Map<string, Tile>();
  private total = 0;

  constructor(private readonly mostBytes = 6_000_000) {}

  /** The size of the loaded tiles in bytes. */
  get bytes(): number {
    return this.total;
  }

  /** Whether a tile is loaded; does not count as a use. */
  has(name: TileName): boolean {
    return this.tiles.has(keyOf(name));
  }

  /** Returns a tile; counts as a use. */
  get(resolution: number, index: number): Tile | null {
    const key = keyOf({ resolution, index });
    const tile = this.tiles.get(key);
    if (!tile) return null;
    this.tiles.delete(key);
    this.tiles.set(key, tile);
    return tile;
  }

  /** Adds a tile; the newest is never evicted. */
  put(name: TileName, tile: Tile): void {
    const key = keyOf(name);
    this.total -= this.tiles.get(key)?.byteLength ?? 0;
    this.tiles.delete(key);
    this.tiles.set(key, tile);
    this.total += tile.byteLength;
    for (const [oldest, { byteLength }] of this.tiles) {
      if (this.total <= this.mostBytes || oldest === key) break;
      this.tiles.delete(oldest);
      this.total -= byteLength;
    }
  }
}
