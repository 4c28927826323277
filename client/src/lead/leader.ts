// Leads: sends what this page's player does, at once after a change, at each pass, and now and then in between.

import type { HeardMoment, PlayerPart, PlayerSettings, PlayerSnapshot } from '../audio/player';
import { placeInRun, startInRun } from '../audio/run';
import type { Timer } from '../sync/environment';
import { aheadBy, placeAt, type LeadBounds, type LeadState } from './leadState';

/** The player as the leader needs it. */
export interface LeadingPlayer {
  readonly snapshot: PlayerSnapshot;
  readonly loaded: PlayerPart | null;
  readonly playedSettings: PlayerSettings;
  readonly bounds: { readonly startFrame: number; readonly endFrame: number };
  heardAt(milliseconds: number): HeardMoment | null;
  position(): number;
}

/** What a message carries. */
export interface LeadMessage {
  readonly client: string;
  readonly number: number;
  readonly begins: boolean;
  readonly note: string;
  readonly state: LeadState;
}

/** What became of a message: it was taken, it was lost, or this page leads no more. */
export type Delivery = 'taken' | 'lost' | 'over';

interface LeaderWorld {
  readonly client: string;
  readonly player: LeadingPlayer;
  /** The part that the page shows. */
  part(): string | null;
  /** The ids of what is loaded while the whole routine is played. */
  isRun(loadedId: string): boolean;
  now(): number;
  offset(): number | null;
  deliver(message: LeadMessage): Promise<Delivery>;
  onOver(): void;
  readonly timer: Timer;
}

const playingMilliseconds = 2_000;
const stillMilliseconds = 8_000;
/** Messages are further apart than this. */
const gatherMilliseconds = 60;
/** After a lost message. */
const againMilliseconds = 1_000;
/** A position that differs from what was told by more is told at once. */
const jumpMilliseconds = 4;

/** Leads one routine. */
export class Leader {
  private number = 0;
  private note = '';
  private hasBegun = false;
  private told: { readonly key: string; readonly state: LeadState; readonly repeat: number } | null = null;
  private toldAt = -Infinity;
  private isSending = false;
  private isOver = false;
  private stopTimer: (() => void) | null = null;

  constructor(private readonly world: LeaderWorld) {
    this.step();
  }

  /** Says something to all. */
  say(note: string): void {
    this.note = note;
    this.told = null;
    this.step();
  }

  /** Sends what is new. Call it at each report of the engine, and when something has changed. */
  step(): void {
    if (this.isOver || this.isSending || this.stopTimer) return;
    const now = this.world.now();
    const state = this.read(now);
    if (!state) {
      this.later(gatherMilliseconds * 4);
      return;
    }
    const { repeat } = this.world.player.snapshot;
    const since = now - this.toldAt;
    const limit = state.state === 'still' ? stillMilliseconds : playingMilliseconds;
    const key = keyOf(state, this.note);
    const isNew = key !== this.told?.key || repeat !== this.told.repeat || this.hasJumped(state);
    if (!isNew && since < limit) return;
    if (since < gatherMilliseconds) {
      this.later(gatherMilliseconds - since);
      return;
    }
    this.told = { key, state, repeat };
    this.toldAt = now;
    void this.send(state);
  }

  /** Sends again in any case, as after a lost connection. */
  wake(): void {
    this.told = null;
    this.step();
  }

  /** Ends it. */
  close(): void {
    this.isOver = true;
    this.stopTimer?.();
    this.stopTimer = null;
  }

  private async send(state: LeadState): Promise<void> {
    this.isSending = true;
    this.number += 1;
    const { client } = this.world;
    const message = { client, number: this.number, begins: !this.hasBegun, note: this.note, state };
    const delivery = await this.world.deliver(message).catch((): Delivery => 'lost');
    this.isSending = false;
    if (this.isOver) return;
    if (delivery === 'over') {
      this.close();
      this.world.onOver();
      return;
    }
    if (delivery === 'taken') this.hasBegun = true;
    else this.told = null;
    if (delivery === 'lost') this.later(againMilliseconds);
    else this.step();
  }

  private later(milliseconds: number): void {
    this.stopTimer = this.world.timer(milliseconds, () => {
      this.stopTimer = null;
      this.step();
    });
  }

  private hasJumped(state: LeadState): boolean {
    const told = this.told?.state;
    if (!told) return true;
    const bounds = this.boundsOf(state);
    const place = placeAt(told, bounds, state.at);
    if (state.state === 'playing' && place.kind === 'playing') {
      return Math.abs(aheadBy(state.frame, place.frame, bounds, state.percent)) > jumpMilliseconds;
    }
    if (state.state === 'countdown' && place.kind === 'countdown') {
      return Math.abs(state.framesLeft - place.framesLeft) > jumpMilliseconds * 48;
    }
    return state.state === 'still' && place.kind === 'still' && Math.abs(state.frame - place.frame) > 1;
  }

  /** The range in frames of the part's track. */
  private boundsOf(state: LeadState): LeadBounds {
    const { bounds, loaded } = this.world.player;
    const shift = loaded ? shiftOf(loaded, state.part) : 0;
    return {
      startFrame: bounds.startFrame + shift, endFrame: bounds.endFrame + shift,
      turnsWithoutGap: state.loopMode !== 'off' && state.restSeconds === 0
        && (this.world.player.heardAt(this.world.now())?.turnsWithoutGap ?? false),
    };
  }

  private read(now: number): LeadState | null {
    const { player } = this.world;
    const { loaded, snapshot, playedSettings: settings } = player;
    const offset = this.world.offset();
    const shown = this.world.part();
    if (!loaded || offset === null || shown === null) return null;
    const moment = snapshot.wantsToPlay ? player.heardAt(now) : null;
    // A command is on its way, or the sound of before is still heard.
    if (snapshot.wantsToPlay && moment === null && snapshot.state !== 'loading') return null;
    const frame = moment?.frame ?? player.position();
    const place = loaded.run ? placeInRun(loaded.run, frame) : { index: 0, frame };
    const part = loaded.run?.[place.index]?.partId ?? shown;
    const shift = shiftOf(loaded, part);
    const isRun = loaded.run !== undefined && this.world.isRun(loaded.id);
    const isMoving = moment?.state === 'playing' || moment?.state === 'countdown' || moment?.state === 'resting';
    // A section over a join of parts has no markers in one of them.
    const marker = (value: number | null): number | null => (value === null ? null : Math.max(0, Math.round(value + shift)));
    return {
      part, isRun,
      state: isMoving ? moment.state as LeadState['state'] : 'still',
      frame: Math.max(0, Math.round(frame + shift)),
      at: now + offset,
      framesLeft: Math.max(0, Math.round(isMoving ? moment.framesLeft : 0)),
      percent: moment?.percent ?? snapshot.percent,
      loopMode: settings.loopMode, markerA: marker(settings.markerA), markerB: marker(settings.markerB),
      countIn: settings.countIn, countdownSeconds: settings.countdownSeconds,
      countdownRepeats: settings.countdownRepeats, restSeconds: settings.restSeconds,
    };
  }
}

/** What has to be added to a frame of what is loaded to get one of a part's track. */
export function shiftOf(loaded: PlayerPart, part: string): number {
  const index = loaded.run?.findIndex(({ partId }) => partId === part) ?? -1;
  const stretch = loaded.run?.[index];
  return loaded.run && stretch ? stretch.startFrame - startInRun(loaded.run, index) : 0;
}

/** All values whose change is told at once. */
function keyOf(state: LeadState, note: string): string {
  return JSON.stringify({ ...state, frame: 0, at: 0, framesLeft: 0, note });
}
