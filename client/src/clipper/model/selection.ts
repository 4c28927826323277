// The selected range: two ends that never cross. Pure.

import { shortestStretchFrames, type Stretch } from '../../timeline';
import { clamp } from './pieces';

/** The selected range of the track. */
export type Selection = Stretch;

/** Moves one end; it stops a tenth of a second before the other, and at the ends of the track. */
export function withEnd(
  selection: Selection, which: 'start' | 'end', frame: number, lengthFrames: number,
): Selection {
  const { startFrame, endFrame } = selection;
  return which === 'start'
    ? { startFrame: clamp(Math.round(frame), 0, Math.max(0, endFrame - shortestStretchFrames)), endFrame }
    : { startFrame, endFrame: clamp(Math.round(frame), Math.min(lengthFrames, startFrame + shortestStretchFrames), lengthFrames) };
}

/** Makes a selection between two frames in either order, at least a tenth of a second long. */
export function selectionBetween(anchor: number, frame: number, lengthFrames: number): Selection {
  const from = clamp(Math.round(anchor), 0, lengthFrames);
  const to = clamp(Math.round(frame), 0, lengthFrames);
  const startFrame = Math.min(from, to);
  const endFrame = Math.max(from, to, Math.min(lengthFrames, startFrame + shortestStretchFrames));
  return { startFrame: Math.max(0, Math.min(startFrame, endFrame - shortestStretchFrames)), endFrame };
}

/**
 * Sets one end at the playhead. Past the other end, the selection continues from there: a start
 * extends to the end of the song, an end to its beginning.
 */
export function setEnd(
  selection: Selection | null, which: 'start' | 'end', frame: number, lengthFrames: number,
): Selection {
  const whole = { startFrame: 0, endFrame: lengthFrames };
  const known = selection ?? whole;
  const isPast = which === 'start'
    ? frame > known.endFrame - shortestStretchFrames
    : frame < known.startFrame + shortestStretchFrames;
  return withEnd(isPast ? whole : known, which, frame, lengthFrames);
}
