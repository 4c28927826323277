// The stretch that is being chosen: two ends that never pass each other. Pure.

import { clamp, leastFrames } from './pieces';

/** A stretch of the track. */
export interface Selection {
  readonly startFrame: number;
  readonly endFrame: number;
}

/** Moves one end; it stops a tenth of a second before the other, and at the ends of the track. */
export function withEnd(
  selection: Selection, which: 'start' | 'end', frame: number, lengthFrames: number,
): Selection {
  const { startFrame, endFrame } = selection;
  return which === 'start'
    ? { startFrame: clamp(Math.round(frame), 0, Math.max(0, endFrame - leastFrames)), endFrame }
    : { startFrame, endFrame: clamp(Math.round(frame), Math.min(lengthFrames, startFrame + leastFrames), lengthFrames) };
}

/** Makes a selection between two frames in either order, at least a tenth of a second long. */
export function selectionBetween(anchor: number, frame: number, lengthFrames: number): Selection {
  const from = clamp(Math.round(anchor), 0, lengthFrames);
  const to = clamp(Math.round(frame), 0, lengthFrames);
  const startFrame = Math.min(from, to);
  const endFrame = Math.max(from, to, Math.min(lengthFrames, startFrame + leastFrames));
  return { startFrame: Math.max(0, Math.min(startFrame, endFrame - leastFrames)), endFrame };
}

/**
 * Sets one end where one listens. Past the other end, the selection goes on from there: a start
 * takes the rest of the song, an end all that lies before.
 */
export function setEnd(
  selection: Selection | null, which: 'start' | 'end', frame: number, lengthFrames: number,
): Selection {
  const whole = { startFrame: 0, endFrame: lengthFrames };
  const known = selection ?? whole;
  const isPast = which === 'start'
    ? frame > known.endFrame - leastFrames
    : frame < known.startFrame + leastFrames;
  return withEnd(isPast ? whole : known, which, frame, lengthFrames);
}
