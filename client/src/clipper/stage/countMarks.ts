// The lines and numbers of counts over the wave, at each zoom. Pure.

import type { Beat } from '../../counts/grid';

/** The number of an eight or of a count, beside its line. */
export interface CountLabel {
  readonly frame: number;
  readonly text: string;
}

/** The lines and numbers of a range. */
export interface CountMarks {
  /** Frames of the lines at which an eight begins. */
  readonly eights: readonly number[];
  /** Frames of the lines of all other counts. */
  readonly counts: readonly number[];
  readonly eightLabels: readonly CountLabel[];
  readonly countLabels: readonly CountLabel[];
}

/** How close together a track's counts and eights are, in frames. */
export interface CountSpacing {
  readonly countFrames: number;
  readonly eightFrames: number;
  readonly mostDigits: number;
}

/** The least room between lines in pixels, and that of a digit and of the space around a number. */
const eightPixels = 24;
const countPixels = 12;
const digitPixels = 8;
const roomPixels = 10;

/** Returns the spacing of nearly all beats; a few faster ones may stand closer. */
export function spacingOf(beats: readonly Beat[]): CountSpacing {
  const eights = beats.filter(({ count }) => count === 1);
  return {
    countFrames: closeGap(beats), eightFrames: closeGap(eights),
    mostDigits: `${eights[eights.length - 1]?.eight ?? 0}`.length,
  };
}

function closeGap(beats: readonly Beat[]): number {
  const gaps = beats.slice(1).map(({ frame }, index) => frame - (beats[index]?.frame ?? 0));
  gaps.sort((one, other) => one - other);
  return gaps[Math.floor(gaps.length / 10)] ?? Infinity;
}

/** Returns of how many eights one is marked so that `pixels` fit between two: 1, 2, 4, 8 … */
export function eightStep(eightFrames: number, framesPerPixel: number, pixels: number): number {
  let step = 1;
  while ((step * eightFrames) / framesPerPixel < pixels) step *= 2;
  return step;
}

/** Returns the marks between two frames. Counts have a line, and nearer a number, where there is room. */
export function countMarks(
  beats: readonly Beat[], spacing: CountSpacing, startFrame: number, endFrame: number, framesPerPixel: number,
): CountMarks {
  const { countFrames, eightFrames, mostDigits } = spacing;
  const numberPixels = mostDigits * digitPixels + roomPixels;
  const lineStep = eightStep(eightFrames, framesPerPixel, eightPixels);
  const labelStep = eightStep(eightFrames, framesPerPixel, Math.max(eightPixels, numberPixels));
  const gap = countFrames / framesPerPixel;
  const seen = beats.filter(({ frame }) => frame >= startFrame && frame <= endFrame);
  const eights = seen.filter(({ count, eight }) => count === 1 && (eight - 1) % lineStep === 0);
  const counts = gap >= countPixels ? seen.filter(({ count }) => count !== 1) : [];
  return {
    eights: eights.map(({ frame }) => frame),
    counts: counts.map(({ frame }) => frame),
    eightLabels: eights
      .filter(({ eight }) => (eight - 1) % labelStep === 0)
      .map(({ frame, eight }) => ({ frame, text: `${eight}` })),
    countLabels: gap >= numberPixels ? counts.map(({ frame, count }) => ({ frame, text: `${count}` })) : [],
  };
}
