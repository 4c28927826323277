// The words that the player and the interface share.
import type { CountdownRepeats, LoopMode, TickSound } from '../generated/engine';
import type { TrackStretch } from '../timeline';

export type { CountdownRepeats, LoopMode, TickSound };

/** A stretch of a track with the track's length, which says how long its last chunk is. */
export interface PlayableStretch extends TrackStretch {
  readonly trackLengthFrames: number;
}

/** What is to be played: a stretch of a track, or of a run. */
export interface PlayerPart extends PlayableStretch {
  id: string;
  /** What a run is made of; the part's own track is then the run, and its frames are the run's. */
  run?: readonly PlayableStretch[];
}

/** Raises or lowers the speed from repeat to repeat, in percent; `every` 0 is off. */
export interface Trainer {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** How many times each speed is heard. */
  readonly every: number;
}

export interface PlayerSettings {
  loopMode: LoopMode;
  /** Frames of the track, in either order; a section loop needs both. */
  markerA: number | null;
  markerB: number | null;
  countdownSeconds: number;
  countdownRepeats: CountdownRepeats;
  tickSound: TickSound;
  /** The speed in percent, 25 to 200, and the transposition in semitones, −12 to 12. */
  percent: number;
  semitones: number;
  /** How often a loop is heard; 0 is without end. */
  repeatLimit: number;
  /** The silence between two repeats. */
  restSeconds: number;
  trainer: Trainer;
}

export type PlayerState =
  | 'empty' | 'ready' | 'loading' | 'countdown' | 'playing' | 'resting' | 'paused' | 'ended' | 'problem';

export interface PlayerSnapshot {
  state: PlayerState;
  /** Whether playback is what was last asked for: what the play button shows. */
  wantsToPlay: boolean;
  /** The frame of the track that was heard when the snapshot was made. */
  frame: number;
  /** Of the countdown that is running, else 0. */
  countdownFramesLeft: number;
  countdownFrames: number;
  /** How many repeats were begun since playback started from the beginning. */
  repeat: number;
  /** Of the rest between two repeats that is going on, else 0. */
  restFramesLeft: number;
  /** The speed that holds, in percent: the chosen one or the trainer's. */
  percent: number;
  /** A sentence for the performer, in the state `problem`. */
  problem: string | null;
}

/** The decoded samples of one chunk. */
export interface DecodedChunk { left: Float32Array; right: Float32Array }
