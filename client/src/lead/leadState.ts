// What a leader plays, as it is sent, and where that is at another moment. Pure.

import { countdownRepeats, countIns, loopModes } from '../generated/engine';
import type { CountdownRepeats, CountIn, LoopMode } from '../generated/engine';

/** What a leader's player does; frames are those of the part's track. */
export interface LeadState {
  readonly part: string;
  /** Whether the whole routine is played, part after part. */
  readonly isRun: boolean;
  readonly state: 'still' | 'playing' | 'countdown' | 'resting';
  /** The frame that is heard at `at`, or that is heard next. */
  readonly frame: number;
  /** In milliseconds of the server's clock. */
  readonly at: number;
  /** The frames left of a countdown or rest, of the audio clock; else 0. */
  readonly framesLeft: number;
  readonly percent: number;
  readonly loopMode: LoopMode;
  readonly markerA: number | null;
  readonly markerB: number | null;
  readonly countIn: CountIn;
  readonly countdownSeconds: number;
  readonly countdownRepeats: CountdownRepeats;
  readonly restSeconds: number;
}

/** What everybody is told of a leader. */
export interface ToldLead {
  readonly routine: string;
  /** The id of the leader's page. */
  readonly client: string;
  readonly person: string;
  readonly name: string;
  readonly device: string | null;
  readonly number: number;
  readonly followers: number;
  readonly note: string;
  readonly state: LeadState;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isMarker = (value: unknown): boolean => value == null || isNumber(value);
const isOneOf = (all: readonly string[]) => (value: unknown): boolean => all.includes(value as string);

const stateFields: { readonly [name in keyof LeadState]: (value: unknown) => boolean } = {
  part: (value) => typeof value === 'string',
  isRun: (value) => typeof value === 'boolean',
  state: isOneOf(['still', 'playing', 'countdown', 'resting']),
  frame: isNumber, at: isNumber, framesLeft: isNumber,
  percent: (value) => isNumber(value) && value >= 25 && value <= 200,
  loopMode: isOneOf(loopModes), markerA: isMarker, markerB: isMarker,
  countIn: isOneOf(countIns), countdownSeconds: isNumber, countdownRepeats: isOneOf(countdownRepeats),
  restSeconds: isNumber,
};

/** Reads an event about a leader; null if it is none. */
export function readLead(value: unknown): ToldLead | null {
  const told = value as (Partial<ToldLead> & { readonly state?: Record<string, unknown> }) | null | undefined;
  const state = told?.state;
  if (!told || typeof state !== 'object' || state === null) return null;
  if (!Object.entries(stateFields).every(([name, fits]) => fits(state[name]))) return null;
  const { routine, client, person, name, device, number, followers, note } = told;
  if (typeof routine !== 'string' || typeof client !== 'string' || !isNumber(number)) return null;
  return {
    routine, client, number, person: typeof person === 'string' ? person : '', name: typeof name === 'string' ? name : '',
    device: typeof device === 'string' ? device : null, followers: isNumber(followers) ? followers : 0,
    note: typeof note === 'string' ? note : '',
    state: { ...(state as unknown as LeadState), markerA: state.markerA ?? null, markerB: state.markerB ?? null },
  };
}

/** The range that is played, and whether it loops without a gap. */
export interface LeadBounds {
  readonly startFrame: number;
  readonly endFrame: number;
  readonly turnsWithoutGap: boolean;
}

/** Where a leader is at a moment. In `between`, the end is past and the next pass has not been told of. */
export type LeadPlace =
  | { readonly kind: 'still' | 'playing'; readonly frame: number }
  | { readonly kind: 'countdown'; readonly frame: number; readonly framesLeft: number }
  | { readonly kind: 'between' };

const framesPerMillisecond = 48;

/** Returns where the leader is at a time of the server's clock, if all goes on as it was told. */
export function placeAt(state: LeadState, bounds: LeadBounds, serverTime: number): LeadPlace {
  if (state.state === 'still') return { kind: 'still', frame: state.frame };
  const elapsed = (serverTime - state.at) * framesPerMillisecond;
  if (state.state === 'resting') return { kind: 'between' };
  if (state.state === 'countdown' && elapsed < state.framesLeft) {
    return { kind: 'countdown', frame: state.frame, framesLeft: state.framesLeft - elapsed };
  }
  const played = state.state === 'countdown' ? elapsed - state.framesLeft : elapsed;
  const frame = state.frame + (played * state.percent) / 100;
  const { startFrame, endFrame, turnsWithoutGap } = bounds;
  const length = endFrame - startFrame;
  if (frame < endFrame || length <= 0) return { kind: 'playing', frame };
  return turnsWithoutGap ? { kind: 'playing', frame: startFrame + ((frame - startFrame) % length) } : { kind: 'between' };
}

/** Returns by how many milliseconds of the clock `own` is ahead of `led`; around a loop, the shorter way. */
export function aheadBy(own: number, led: number, bounds: LeadBounds, percent: number): number {
  const length = bounds.endFrame - bounds.startFrame;
  let frames = own - led;
  if (bounds.turnsWithoutGap && length > 0) frames -= Math.round(frames / length) * length;
  return (frames * 100) / percent / framesPerMillisecond;
}
