// Time on a track: whole frames at 48 kHz, and ranges of frames. The engine's constants come from
// Swift.

export * from './generated/timeline';

/** A range of a track, in frames of the track; the end is exclusive. */
export interface Stretch {
  readonly startFrame: number;
  readonly endFrame: number;
}

/** A range of a certain track. */
export interface TrackStretch extends Stretch {
  readonly trackId: string;
}

/** The shortest range between two borders or markers: a tenth of a second. */
export const shortestStretchFrames = 4_800;
