// Time on a track: whole frames at 48 kHz, and the stretches between two of them. The constants that the
// engine decides come from Swift.

export * from './generated/timeline';

/** A stretch of a track, in frames of the track; the end is exclusive. */
export interface Stretch {
  readonly startFrame: number;
  readonly endFrame: number;
}

/** A stretch of a certain track. */
export interface TrackStretch extends Stretch {
  readonly trackId: string;
}

/** The shortest stretch between two borders or markers: a tenth of a second. */
export const shortestStretchFrames = 4_800;
