// The ruler above the wave: its times and their format at each zoom. Pure.

import { framesPerSecond } from '../../timeline';
import { clock, framesOf } from '../../ui/time';
import { lateWords } from '../../words/lateWords';

/** A labelled line of the ruler. */
export interface RulerLabel {
  readonly frame: number;
  readonly text: string;
}

/** The lines of a range of the ruler. */
export interface RulerMarks {
  readonly labels: readonly RulerLabel[];
  /** Frames of the lines without a label. */
  readonly small: readonly number[];
}

const millisecond = framesOf(0.001);

// Steps below a millisecond divide it, larger ones are round times. In frames.
const steps = [
  1, 2, 4, 8, 12, 24,
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((count) => count * millisecond),
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600].map((count) => count * framesPerSecond),
];

/** The width of a label: the widest digit of the ruler's font, and the space after the label. */
const digitPixels = 7;
const roomPixels = 14;
const smallestGapPixels = 6;

/** Estimates the width of a label in pixels, with the space after it. */
function labelPixels(text: string): number {
  return text.length * digitPixels + roomPixels;
}

/**
 * Formats a time with the precision of the step between labels: minutes and seconds, then tenths,
 * hundredths, milliseconds; below that `+n`, the frames since the last whole millisecond.
 */
export function rulerText(frame: number, step: number): string {
  if (step < millisecond && frame % millisecond !== 0) return `+${frame % millisecond}`;
  const digits = step >= framesPerSecond ? 0 : step >= framesOf(0.1) ? 1 : step >= framesOf(0.01) ? 2 : 3;
  if (digits === 0) return clock(frame);
  const milliseconds = Math.floor((frame % framesPerSecond) / millisecond);
  return `${clock(frame)}.${String(milliseconds).padStart(3, '0').slice(0, digits)}`;
}

/** Chooses the frames between labels so that they never overlap. */
export function labelStep(framesPerPixel: number, latestFrame: number): number {
  const fits = (step: number): boolean => {
    // The longest text of a step is that of the latest time, in full.
    const width = Math.max(labelPixels(rulerText(latestFrame - (latestFrame % Math.max(step, millisecond)), step)), 32);
    return step / framesPerPixel >= width;
  };
  const found = steps.find(fits);
  if (found !== undefined) return found;
  let hours = 2 * framesOf(3_600);
  while (!fits(hours)) hours *= 2;
  return hours;
}

/** Chooses the frames between the small lines, or the label's own step if there is no room. */
export function smallStep(step: number, framesPerPixel: number): number {
  const parts = [10, 6, 5, 4, 3, 2].find((count) => (
    step % count === 0 && step / count / framesPerPixel >= smallestGapPixels
  ));
  return step / (parts ?? 1);
}

/** Returns the lines and labels between two frames. */
export function rulerMarks(
  startFrame: number, endFrame: number, lengthFrames: number, framesPerPixel: number,
): RulerMarks {
  const step = labelStep(framesPerPixel, lengthFrames);
  const small = smallStep(step, framesPerPixel);
  const from = Math.max(0, startFrame);
  const to = Math.min(endFrame, lengthFrames);
  const labels: RulerLabel[] = [];
  for (let frame = Math.ceil(from / step) * step; frame <= to; frame += step) {
    labels.push({ frame, text: rulerText(frame, step) });
  }
  const lines: number[] = [];
  for (let frame = Math.ceil(from / small) * small; frame <= to; frame += small) {
    if (frame % step !== 0) lines.push(frame);
  }
  return { labels, small: lines };
}

/** Formats an exact time in words: `1 minute 2.25 seconds`. */
export function spokenExactTime(frame: number): string {
  const milliseconds = Math.round((Math.max(0, frame) * 1000) / framesPerSecond);
  const minutes = Math.floor(milliseconds / 60_000);
  const seconds = (milliseconds % 60_000) / 1000;
  const said = lateWords.clipper.seconds(seconds);
  return minutes === 0 ? said : `${lateWords.clipper.minutes(minutes)} ${said}`;
}
