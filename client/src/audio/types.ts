// The types that the player and the interface share.
import type { CountdownRepeats, CountIn, EngineState, LoopMode, TickSound } from '../generated/engine';
import type { VoiceLanguage } from '../builtAssets';
import type { TrackStretch } from '../timeline';
import type { PlayedLevel } from '../worklet/messages';

export type { CountdownRepeats, CountIn, LoopMode, PlayedLevel, TickSound };

/** A range of a track with the track's length, which determines the length of its last chunk. */
export interface PlayableStretch extends TrackStretch {
  readonly trackLengthFrames: number;
  /** The part that a range of a run belongs to. */
  readonly partId?: string;
}

/** What to play: a range of a track, or of a run. */
export interface PlayerPart extends PlayableStretch {
  id: string;
  /** The ranges of a run; the part's own track is then the run, and its frames are the run's. */
  run?: readonly PlayableStretch[];
}

/** Raises or lowers the speed from repeat to repeat, in percent; `every` 0 is off. */
export interface Trainer {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** How many times each speed is played. */
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
  /** The volume of the ticks in percent, 0 to 125. */
  tickVolume: number;
  /** What is counted before the start; where the part has no beats, the countdown's seconds. */
  countIn: CountIn;
  /** The volume of the clicks in percent, 0 (off) to 125. */
  clickVolume: number;
  /** Whether the numbers of a count-in, and those of the clicks, are said; not if missing. */
  countInSpeaks?: boolean;
  clickSpeaks?: boolean;
  /** The voice that says them; null or missing if none is needed. */
  voice?: VoiceLanguage | null;
  /** The volume of the caller in percent, 0 (off, and if missing) to 125. */
  callerVolume?: number;
  /** The volume of the part's audio while a name is said, in percent, 0 to 100; 100 if missing. */
  callerDuck?: number;
  /** The volume of the part's audio alone in percent, 0 to 100; 100 if missing. */
  musicVolume?: number;
  /** The gains of the audio; missing if it is played as it is. */
  levels?: readonly PlayedLevel[];
  /** The speed in percent, 25 to 200, and the transposition in semitones, −12 to 12. */
  percent: number;
  semitones: number;
  /** Whether transposing keeps the formants; false if missing. */
  isNaturalVoice?: boolean;
  /** How often a loop is played; 0 means without end. */
  repeatLimit: number;
  /** The silence between two repeats. */
  restSeconds: number;
  trainer: Trainer;
  /** With less than this left before the end, playback starts from the beginning; 0 if missing. */
  startOverSeconds?: number;
}

export type PlayerState =
  | 'empty' | 'ready' | 'loading' | 'countdown' | 'playing' | 'resting' | 'paused' | 'ended' | 'problem';

export interface PlayerSnapshot {
  state: PlayerState;
  /** Whether playback was requested last: the state of the play button. */
  wantsToPlay: boolean;
  /** The audible frame of the track when the snapshot was made. */
  frame: number;
  /** Of the current countdown, else 0. */
  countdownFramesLeft: number;
  countdownFrames: number;
  /** The number that was counted last in a count-in, else 0. */
  countInNumber: number;
  /** The number of repeats since playback started from the beginning. */
  repeat: number;
  /** Of the current rest between two repeats, else 0. */
  restFramesLeft: number;
  /** The current speed in percent: the chosen one or the trainer's. */
  percent: number;
  /** Whether the part has beats, which clicks and count-ins follow. */
  hasBeats: boolean;
  /** Whether the part's audio itself is silent, so that the click is heard alone. */
  isClickAlone: boolean;
  /** Whether the voice that is to say counts can't be fetched, so that they are ticked and clicked. */
  isVoiceMissing: boolean;
  /** How many names that the caller is to say can't be fetched, so that they are left out. */
  missingNames: number;
  /** Whether names that the caller is to say are still being fetched. */
  isFetchingNames: boolean;
  /** A sentence for the user, in the state `problem`. */
  problem: string | null;
}

/** What is heard at one moment. */
export interface HeardMoment {
  readonly state: EngineState;
  /** The frame of the track, or the one at which the music will start; it may lie between two frames. */
  readonly frame: number;
  /** The frames left of the countdown or rest, else 0. */
  readonly framesLeft: number;
  readonly percent: number;
  readonly repeat: number;
  /** Whether the audio loops without a gap at the next end. */
  readonly turnsWithoutGap: boolean;
}

/** The decoded samples of one chunk. */
export interface DecodedChunk { left: Float32Array; right: Float32Array }
