// The geometry of the scrubber: frames to positions and back. Pure.

import { framesPerSecond, type Stretch } from '../timeline';

/** The position of a frame in a part, 0 … 1. */
export function fractionOf(frame: number, bounds: Stretch): number {
  const length = bounds.endFrame - bounds.startFrame;
  if (length <= 0) return 0;
  return Math.min(1, Math.max(0, (frame - bounds.startFrame) / length));
}

/** The frame at a position of the scrubber. */
export function frameAt(x: number, left: number, width: number, bounds: Stretch): number {
  const fraction = width <= 0 ? 0 : Math.min(1, Math.max(0, (x - left) / width));
  return Math.round(bounds.startFrame + fraction * (bounds.endFrame - bounds.startFrame));
}

/** The page of a pager that is at least half visible. */
export function pageAt(scrollLeft: number, pageWidth: number, count: number): number {
  if (pageWidth <= 0 || count === 0) return 0;
  return Math.min(count - 1, Math.max(0, Math.round(Math.abs(scrollLeft) / pageWidth)));
}

/** How far a countdown's ring is closed, 0 … 1, some time after the player's last report. */
export function ringClosed(framesLeft: number, frames: number, framesSince: number): number {
  if (frames <= 0) return 1;
  return Math.min(1, Math.max(0, 1 - (framesLeft - framesSince) / frames));
}

/** The number that a countdown shows: 5, 4, 3, 2, 1. */
export function countdownSecond(framesLeft: number): number {
  return Math.max(1, Math.ceil(framesLeft / framesPerSecond));
}
