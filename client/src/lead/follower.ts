// Follows a leader: keeps this page's player where the leader's is. It decides by the audio clock, at each of the
// engine's reports, and starts no timer.

import type { HeardMoment, PlayerSnapshot } from '../audio/player';
import { Correction } from './correction';
import { aheadBy, placeAt, type LeadBounds, type LeadState } from './leadState';

/** The player as the follower needs it. */
export interface FollowedPlayer {
  readonly snapshot: Pick<PlayerSnapshot, 'state' | 'wantsToPlay'>;
  readonly bounds: { readonly startFrame: number; readonly endFrame: number };
  readonly turnsWithoutGap: boolean;
  /** The id of what is loaded. */
  readonly loadedId: string | null;
  /** How often the position was set by `seek`. */
  readonly seeks: number;
  heardAt(milliseconds: number): HeardMoment | null;
  position(): number;
  join(frame: number, countdownFramesLeft: number, milliseconds: number): void;
  pause(): void;
  seek(frame: number): void;
}

/** What is to be played, with frames of what is loaded for it. */
export interface Followed {
  readonly id: string;
  readonly state: LeadState;
}

interface FollowerWorld {
  readonly player: FollowedPlayer;
  /** Milliseconds of the page. */
  now(): number;
  /** The server's time minus the page's; null while it is not known. */
  offset(): number | null;
  /** The performer has stopped, started or moved the player here. */
  onTouched(): void;
}

/** The engine answers a join within this time, unless sound has to be loaded. */
const answerMilliseconds = 400;
/** A countdown that is off by less is left alone. */
const countdownMilliseconds = 6;
const framesPerMillisecond = 48;
/** At rest, a position that is off by less is left alone. */
const restingFrames = 480;

/** Follows one leader. */
export class Follower {
  /** How far this player was ahead of the leader when that was last measured, in milliseconds. */
  ahead: number | null = null;
  /** How often the position was corrected. */
  corrections = 0;
  private followed: Followed | null = null;
  private readonly correction = new Correction();
  private joinedAt = -Infinity;
  /** Whether the player should be playing, by what was done here; null before the first command. */
  private plays: boolean | null = null;
  private seeks = 0;
  private isOver = false;

  constructor(private readonly world: FollowerWorld) {}

  /** Takes what the leader plays now. */
  follow(followed: Followed | null): void {
    const before = this.followed;
    this.followed = followed;
    if (followed?.id !== before?.id) {
      this.correction.reset();
      this.plays = null;
    }
    this.step();
  }

  /** Compares and corrects. Call it at each report of the engine, and when something has changed. */
  step(): void {
    const { player } = this.world;
    const { followed } = this;
    const offset = this.world.offset();
    if (this.isOver || !followed || offset === null || player.loadedId !== followed.id) return;
    const { wantsToPlay, state } = player.snapshot;
    if (this.plays === null) this.seeks = player.seeks;
    const isOther = this.plays !== null && this.plays !== wantsToPlay;
    // The end of the part, or a song that can't be loaded, is no touch.
    if ((isOther && (wantsToPlay || state === 'paused')) || player.seeks !== this.seeks) {
      this.isOver = true;
      this.world.onTouched();
      return;
    }
    if (isOther) this.plays = wantsToPlay;
    const now = this.world.now();
    const bounds: LeadBounds = { ...player.bounds, turnsWithoutGap: player.turnsWithoutGap };
    const place = placeAt(followed.state, { ...bounds, turnsWithoutGap: loops(followed.state, bounds) }, now + offset);
    switch (place.kind) {
      case 'still':
        this.rest(place.frame);
        break;
      case 'countdown':
        this.keepUp(place.kind, place.frame, place.framesLeft, bounds, now);
        break;
      case 'playing':
        this.keepUp(place.kind, place.frame, 0, bounds, now);
        break;
      default:
        // The engine here rests and begins the next pass by itself.
        this.correction.reset();
    }
  }

  private rest(frame: number): void {
    const { player } = this.world;
    this.ahead = null;
    this.correction.reset();
    this.plays = false;
    if (player.snapshot.wantsToPlay) player.pause();
    if (Math.abs(player.position() - frame) <= restingFrames) return;
    // Before it: the player tells of the change at once.
    this.seeks += 1;
    player.seek(frame);
  }

  private keepUp(
    kind: 'countdown' | 'playing', frame: number, framesLeft: number, bounds: LeadBounds, now: number,
  ): void {
    const { player } = this.world;
    const own = player.heardAt(now);
    const isAnswering = now - this.joinedAt < answerMilliseconds;
    const isLoading = player.snapshot.state === 'loading' && this.plays === true;
    if (kind === 'playing' && own?.state === 'playing') {
      // The settings are on their way to the player.
      if (own.percent !== this.followed?.state.percent) return this.correction.reset();
      this.ahead = aheadBy(own.frame, frame, { ...bounds, turnsWithoutGap: own.turnsWithoutGap }, own.percent);
      if (this.correction.take(this.ahead, own.repeat) && !isAnswering) this.join(frame, 0, now);
      return;
    }
    this.correction.reset();
    const isInStep = kind === 'countdown' && own?.state === 'countdown'
      && Math.abs(own.framesLeft - framesLeft) < countdownMilliseconds * framesPerMillisecond;
    if (isInStep || isAnswering || (isLoading && own === null)) return;
    // Sound that is heard late is still that of the moment before.
    if (own?.state === 'countdown' && kind === 'playing' && own.framesLeft < lateFrames) return;
    this.join(frame, framesLeft, now);
  }

  private join(frame: number, framesLeft: number, now: number): void {
    this.joinedAt = now;
    this.plays = true;
    this.corrections += 1;
    this.world.player.join(frame, framesLeft, now);
  }
}

/** So close to its end a countdown ends by itself. */
const lateFrames = 4_800;

/** Whether the leader's loop has no gap: as the engine here says, unless it has not yet heard of the loop. */
function loops({ loopMode }: LeadState, { turnsWithoutGap }: LeadBounds): boolean {
  return loopMode !== 'off' && turnsWithoutGap;
}
