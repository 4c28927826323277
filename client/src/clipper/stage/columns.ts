// From tiles to what is drawn: the lowest and highest sample of every column of device pixels, or
// the single samples where a column is narrower than one. Pure.
//
// Columns stand on a grid of their own, counted from the track's start: column c shows the frames
// c · framesPerColumn … (c + 1) · framesPerColumn. A view that moves by whole device pixels thus
// shows the very same columns elsewhere, and what was drawn can be used again.

import { coarsestResolution, resolutionFor, tilePairs, type Tile } from './tiles';
import type { Viewport } from './viewport';

/** Gives a tile when it is here. */
export type TileLookup = (resolution: number, index: number) => Tile | null;

/** Which columns a canvas shows. */
export interface ColumnGrid {
  /** The column at the left edge. */
  readonly first: number;
  readonly count: number;
  readonly framesPerColumn: number;
}

/** Places a view on the grid of device pixels, at most half a pixel away from where it stands. */
export function gridOf(view: Viewport, devicePixelRatio: number): ColumnGrid {
  const framesPerColumn = view.framesPerPixel / devicePixelRatio;
  return {
    first: Math.round(view.startFrame / framesPerColumn),
    count: Math.round(view.width * devicePixelRatio),
    framesPerColumn,
  };
}

/** The view as it is drawn: moved onto the grid. What lies over the wave is placed by this one. */
export function onGrid(view: Viewport, devicePixelRatio: number): Viewport {
  const { first, framesPerColumn } = gridOf(view, devicePixelRatio);
  return { ...view, startFrame: first * framesPerColumn };
}

/** Values of a column that nothing is known about: the lowest above the highest. */
export const unknownLow = 127;
export const unknownHigh = -128;

/** The values of some columns, −128 … 127. */
export interface Columns {
  readonly low: Float32Array;
  readonly high: Float32Array;
  /** Whether all of them come from the finest pairs that are worth it. */
  readonly isComplete: boolean;
}

/**
 * Finds the lowest and highest value of `count` columns from `first` on. A column takes the finest
 * pairs that are worth it; while their tile is missing, the next coarser that is here. Each column
 * reaches to the one before it, so that the outline never tears.
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

/** Reads columns one after the other, remembering the tile of each resolution last used. */
class PairReader {
  private readonly finest: number;
  private readonly coarsest: number;
  private readonly last = new Map<number, { index: number; tile: Tile | null }>();
  private readonly found: [number, number] = [0, 0];
  /** Whether a column came from coarser pairs, or from none. */
  hadToMakeDo = false;

  constructor(
    private readonly framesPerColumn: number, private readonly lengthFrames: number,
    private readonly lookup: TileLookup,
  ) {
    this.finest = resolutionFor(framesPerColumn, lengthFrames);
    this.coarsest = coarsestResolution(lengthFrames);
  }

  /** Gives lowest and highest; the same array each time. */
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

/** Says whether single samples are drawn, with a line from one to the next. */
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
 * Finds the samples between two columns of a grid, and the ones beside them, so that lines reach the
 * edges. Empty when their tile is not here. A sample stands at the left edge of its frame, where a
 * cut before it would stand.
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

/** A stretch of columns to draw, counted from the left edge of the canvas. */
export interface ColumnSpan {
  readonly from: number;
  readonly to: number;
}

/** How a drawn picture becomes the next one. */
export interface Repaint {
  /** How far what is drawn moves to the right, in device pixels; null when none of it is of use. */
  readonly shift: number | null;
  readonly draw: ColumnSpan;
}

/** Finds what of the last picture can be used again, and which columns are left to draw. */
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
