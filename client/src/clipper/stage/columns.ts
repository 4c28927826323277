// From tiles to what is drawn: the lowest and highest sample of every column of device pixels, or
// the single samples where a column is narrower than one. Pure.
//
// Columns stand on a grid of their own, counted from the track's start: column c shows the frames
// c · framesPerColumn … (c + 1) · framesPerColumn. A view that moves by whole device pixels thus
// shows the very same columns elsewhere, and what was drawn can be used again.

import { coarsestResolution, resolutionFor, tilePairs, type Tile } from './tiles';
import type { Viewport } from './viewport';

/** Returns a tile if it is loaded. */
export type TileLookup = (resolution: number, index: number) => Tile | null;

/** The columns that a canvas shows. */
export interface ColumnGrid {
  /** The column at the left edge. */
  readonly first: number;
  readonly count: number;
  readonly framesPerColumn: number;
}

/** Aligns a view to the grid of device pixels, at most half a pixel from its exact position. */
export function gridOf(view: Viewport, devicePixelRatio: number): ColumnGrid {
  const framesPerColumn = view.framesPerPixel / devicePixelRatio;
  return {
    first: Math.round(view.startFrame / framesPerColumn),
    count: Math.round(view.width * devicePixelRatio),
    framesPerColumn,
  };
}

/**
 * The view as it is drawn, aligned to the grid. Elements over the wave are positioned by this one.
 */
export function onGrid(view: Viewport, devicePixelRatio: number): Viewport {
  const { first, framesPerColumn } = gridOf(view, devicePixelRatio);
  return { ...view, startFrame: first * framesPerColumn };
}

/** The values of a column without data: the lowest is above the highest. */
export const unknownLow = 127;
export const unknownHigh = -128;

/** The values of some columns, −128 … 127. */
export interface Columns {
  readonly low: Float32Array;
  readonly high: Float32Array;
  /** Whether all of them come from the finest useful pairs. */
  readonly isComplete: boolean;
}

/**
 * Returns the lowest and highest value of `count` columns from `first` on. A column uses the finest
 * useful pairs; while their tile is missing, the next coarser one that is loaded. Each column
 * reaches the previous one, so that the outline has no gaps.
 */
export function columnsOf(
  first: number, count: number, framesPerColumn: number, lengthFrames: number, lookup: TileLookup,
): Columns {
  const low = new Float32Array(count).fill(unknownLow);
  const high = new Float32Array(count).fill(unknownHigh);
  const reader = new PairReader(framesPerColumn, lengthFrames, lookup);
  let [lowBefore, highBefore] = reader.read(first - 1);
  for (let column = 0; column < count; column += 1) {
    const [ownLow, ownHigh] = reader.read(first + column);
    let [least, most] = [ownLow, ownHigh];
    if (least <= most && lowBefore <= highBefore) {
      if (least > highBefore) least = highBefore;
      if (most < lowBefore) most = lowBefore;
    }
    low[column] = least;
    high[column] = most;
    lowBefore = ownLow;
    highBefore = ownHigh;
  }
  return { low, high, isComplete: !reader.hadToMakeDo };
}

/** Reads columns in sequence, and caches the last used tile of each resolution. */
class PairReader {
  private readonly finest: number;
  private readonly coarsest: number;
  private readonly last = new Map<number, { index: number; tile: Tile | null }>();
  private readonly found: [number, number] = [0, 0];
  /** Whether a column came from coarser pairs, or had none. */
  hadToMakeDo = false;

  constructor(
    private readonly framesPerColumn: number, private readonly lengthFrames: number,
    private readonly lookup: TileLookup,
  ) {
    this.finest = resolutionFor(framesPerColumn, lengthFrames);
    this.coarsest = coarsestResolution(lengthFrames);
  }

  /** Returns lowest and highest; the same array each time. */
  read(column: number): readonly [number, number] {
    const { found } = this;
    found[0] = unknownLow;
    found[1] = unknownHigh;
    const start = Math.max(0, column * this.framesPerColumn);
    const end = Math.min(this.lengthFrames, (column + 1) * this.framesPerColumn);
    if (end <= start) return found;
    for (let resolution = this.finest; resolution <= this.coarsest; resolution *= 2) {
      if (this.readAt(resolution, start, end)) return found;
      this.hadToMakeDo = true;
    }
    return found;
  }

  private readAt(resolution: number, start: number, end: number): boolean {
    const { found } = this;
    let least = unknownLow;
    let most = unknownHigh;
    const firstPair = Math.floor(start / resolution);
    const lastPair = Math.max(firstPair + 1, Math.ceil(end / resolution));
    for (let pair = firstPair; pair < lastPair; pair += 1) {
      const tile = this.tile(resolution, Math.floor(pair / tilePairs));
      const at = (pair % tilePairs) * 2;
      if (!tile || at + 1 >= tile.length) return false;
      least = Math.min(least, tile[at] ?? 0);
      most = Math.max(most, tile[at + 1] ?? 0);
    }
    found[0] = least;
    found[1] = most;
    return true;
  }

  private tile(resolution: number, index: number): Tile | null {
    let last = this.last.get(resolution);
    if (!last || last.index !== index) {
      last = { index, tile: this.lookup(resolution, index) };
      this.last.set(resolution, last);
    }
    return last.tile;
  }
}

/** Whether single samples are drawn, connected by lines. */
export function showsSamples(framesPerColumn: number): boolean {
  return framesPerColumn <= 0.5;
}

/** One sample in device pixels from the left edge; the value −128 … 127. */
export interface SamplePoint {
  readonly frame: number;
  readonly x: number;
  readonly value: number;
}

/**
 * Returns the samples between two columns of a grid, and their neighbours, so that lines reach the
 * edges. Empty if their tile is not loaded. A sample is at the left edge of its frame, where a cut
 * before it would be.
 */
export function samplesOf(
  grid: ColumnGrid, fromColumn: number, toColumn: number, lengthFrames: number, lookup: TileLookup,
): SamplePoint[] {
  const { first, framesPerColumn } = grid;
  const from = Math.max(0, Math.floor((first + fromColumn) * framesPerColumn) - 1);
  const to = Math.min(lengthFrames - 1, Math.ceil((first + toColumn) * framesPerColumn) + 1);
  const points: SamplePoint[] = [];
  for (let frame = from; frame <= to; frame += 1) {
    const tile = lookup(1, Math.floor(frame / tilePairs));
    const value = tile?.[(frame % tilePairs) * 2];
    if (value === undefined) return [];
    points.push({ frame, x: frame / framesPerColumn - first, value });
  }
  return points;
}

/** A range of columns to draw, counted from the left edge of the canvas. */
export interface ColumnSpan {
  readonly from: number;
  readonly to: number;
}

/** How a drawn picture becomes the next one. */
export interface Repaint {
  /**
   * How far the drawn picture moves to the right, in device pixels; null if none of it can be
   * reused.
   */
  readonly shift: number | null;
  readonly draw: ColumnSpan;
}

/** Returns which part of the last picture can be reused, and which columns remain to be drawn. */
export function repaintBetween(last: ColumnGrid | null, next: ColumnGrid): Repaint | null {
  const everything = { shift: null, draw: { from: 0, to: next.count } };
  if (!last || last.count !== next.count || last.framesPerColumn !== next.framesPerColumn) return everything;
  const moved = next.first - last.first;
  if (moved === 0) return null;
  if (Math.abs(moved) >= next.count) return everything;
  return {
    shift: -moved,
    draw: moved > 0 ? { from: next.count - moved, to: next.count } : { from: 0, to: -moved },
  };
}
