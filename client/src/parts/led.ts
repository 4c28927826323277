// What a led session has the player play, in place of what the page shows.

import type { PlayerPart, PlayerSettings } from '../audio/player';
import type { Run } from './useRun';

/** The settings that a step of a session decides; the others stay the performer's. */
export type LedSettings = Pick<
  PlayerSettings,
  'loopMode' | 'markerA' | 'markerB' | 'percent' | 'semitones' | 'repeatLimit' | 'restSeconds' | 'trainer'
> & Partial<Pick<PlayerSettings, 'countIn' | 'countdownSeconds' | 'countdownRepeats'>>;

/** One step of a session, as the player takes it. A new object with another id is a new start. */
export interface Led {
  readonly playable: PlayerPart;
  readonly run: Run;
  readonly settings: LedSettings;
  /** The address of what is said before the music; null if nothing is, or if it was said. */
  readonly announcement: string | null;
}

/** What media keys and a remote may do with a session, also while it rests. */
export interface SessionHandle {
  /** What the session does now. */
  readonly title: string;
  readonly next: () => void;
  readonly again: () => void;
  readonly longer: () => void;
}
