// Parses audiowaveform's .dat (version 2, 8 bit) and reduces it to the bars of a canvas.

/** The minima and maxima of one track at one resolution. */
export interface Peaks {
  readonly framesPerPixel: number;
  /** Alternating minimum and maximum, −128 … 127. */
  readonly pairs: Int8Array;
}

const headerBytes = 24;

/** Parses a .dat file; throws an Error with a sentence if it is invalid. */
export function parsePeaks(data: ArrayBuffer): Peaks {
  if (data.byteLength < headerBytes) throw new Error('The waveform is too short to be read.');
  const view = new DataView(data);
  const version = view.getInt32(0, true);
  const isEightBit = (view.getUint32(4, true) & 1) === 1;
  const framesPerPixel = view.getInt32(12, true);
  const length = view.getUint32(16, true);
  const channels = version === 2 ? view.getInt32(20, true) : 1;
  if (version !== 2 || !isEightBit || channels !== 1 || framesPerPixel < 1) {
    throw new Error('The waveform has a form that this version does not know.');
  }
  const available = Math.floor((data.byteLength - headerBytes) / 2);
  const pairs = new Int8Array(data, headerBytes, Math.min(length, available) * 2);
  return { framesPerPixel, pairs };
}

const finest = 64;
const coarsest = 64 * 2 ** 14;

/**
 * Chooses the resolution to request: the coarsest of 64, 128, 256 … that still has a separate pair
 * for each of `bars`. Powers of two keep the number of cached resolutions small.
 */
export function resolutionFor(frames: number, bars: number): number {
  let resolution = finest;
  while (resolution < coarsest && resolution * 2 * bars <= frames) resolution *= 2;
  return resolution;
}

/** Reduces frames `start` … `end` to the loudest value (0 … 1) in each of `bars` bars. */
export function barHeights(peaks: Peaks, start: number, end: number, bars: number): Float32Array {
  const heights = new Float32Array(Math.max(0, bars));
  const pairCount = peaks.pairs.length / 2;
  const framesPerBar = (end - start) / bars;
  for (let bar = 0; bar < bars; bar += 1) {
    const first = Math.floor((start + bar * framesPerBar) / peaks.framesPerPixel);
    const last = Math.ceil((start + (bar + 1) * framesPerBar) / peaks.framesPerPixel);
    let loudest = 0;
    for (let pair = Math.max(0, first); pair < Math.min(pairCount, Math.max(last, first + 1)); pair += 1) {
      loudest = Math.max(loudest, -(peaks.pairs[pair * 2] ?? 0), peaks.pairs[pair * 2 + 1] ?? 0);
    }
    heights[bar] = Math.min(1, loudest / 127);
  }
  return heights;
}

/** Scales a quiet waveform to fill its box, at most fourfold, so that silence stays silence. */
export function filled(heights: Float32Array): Float32Array {
  let loudest = 0;
  for (const height of heights) loudest = Math.max(loudest, height);
  if (loudest === 0) return heights;
  const gain = Math.min(4, 1 / loudest);
  return heights.map((height) => height * gain);
}

/** A bar of the drawing in device pixels. */
export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The pitch of bars on a screen: device pixels of one bar and of the gap after it. */
function barPitch(devicePixelRatio: number): { bar: number; gap: number } {
  const bar = Math.max(1, Math.round(2.5 * devicePixelRatio));
  const gap = Math.max(1, Math.round(1.5 * devicePixelRatio));
  return { bar, gap };
}

/** The number of bars that fit into a width in device pixels. */
export function barCount(width: number, devicePixelRatio: number): number {
  const { bar, gap } = barPitch(devicePixelRatio);
  return Math.max(1, Math.floor((width + gap) / (bar + gap)));
}

/**
 * Places bars, symmetrical about the middle line; silence keeps a dot, so that the line is
 * continuous.
 */
export function placeBars(
  heights: Float32Array, width: number, height: number, devicePixelRatio: number,
): Bar[] {
  const { bar } = barPitch(devicePixelRatio);
  const pitch = heights.length > 1 ? (width - bar) / (heights.length - 1) : 0;
  return Array.from(heights, (value, index) => {
    const barHeight = Math.max(bar, Math.round(value * height));
    return {
      x: Math.round(index * pitch),
      y: Math.round((height - barHeight) / 2),
      width: bar,
      height: barHeight,
    };
  });
}

/** Distributes `bars` among ranges by their length; the sum is `bars`. */
export function shareBars(lengths: readonly number[], bars: number): number[] {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total <= 0) return lengths.map(() => 0);
  let framesBefore = 0;
  let barsBefore = 0;
  return lengths.map((length) => {
    framesBefore += length;
    const until = Math.round((framesBefore / total) * bars);
    const share = Math.max(0, until - barsBefore);
    barsBefore += share;
    return share;
  });
}
