// The words that the player and the interface share.
import { CountdownRepeats, LoopMode, TickSound } from '../worklet/messages';

export type { CountdownRepeats, LoopMode, TickSound };

/** What is to be played: a stretch of a track, in frames of the track; the end is exclusive. */
export interface PlayerPart {
  id: string;
  trackId: string;
  trackLengthFrames: number;
  startFrame: number;
  endFrame: number;
}

export interface PlayerSettings {
  loopMode: LoopMode;
  /** Frames of the track, in either order; a section loop needs both. */
  markerA: number | null;
  markerB: number | null;
  countdownSeconds: number;
  countdownRepeats: CountdownRepeats;
  tickSound: TickSound;
  /** From 0 to 1; at 1 samples come out as they are. */
  volume: number;
}

export type PlayerState =
  | 'empty' | 'ready' | 'loading' | 'countdown' | 'playing' | 'paused' | 'ended' | 'problem';

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
  /** A sentence for the performer, in the state `problem`. */
  problem: string | null;
}

/** The decoded samples of one chunk. */
export interface DecodedChunk { left: Float32Array; right: Float32Array }
