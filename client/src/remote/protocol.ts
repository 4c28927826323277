// The messages between a remote and the player that it controls: as plain values, and the parsing
// of received ones. Pure.
//
// A remote repeats `watch`, and is answered with the player's state. Its commands carry the wanted
// state, never a toggle, and a number, so that a late or repeated command has no effect. A step by an
// eight, which only the player knows, and a miss are carried out once by their number.

import type { PlayerState } from '../audio/types';
import type { Direction } from '../counts/grid';
import type { LoopMode } from '../generated/engine';
import { lateWords } from '../words/lateWords';

/** The commands of a remote. `subject` tells what the frames refer to: see `RemoteState`. */
export type RemoteAction =
  | { readonly verb: 'play' }
  | { readonly verb: 'pause' }
  | { readonly verb: 'seek'; readonly subject: string; readonly frame: number }
  /** By an eight; only to a player whose state says that it `seeksEights`. */
  | { readonly verb: 'step'; readonly subject: string; readonly direction: Direction }
  | {
      readonly verb: 'loop'; readonly subject: string; readonly loopMode: LoopMode;
      readonly markerA: number | null; readonly markerB: number | null;
    }
  | { readonly verb: 'speed'; readonly subject: string; readonly percent: number }
  | { readonly verb: 'part'; readonly part: string }
  /** Something was missed while a frame was heard; only to a player whose state says that it `takesMisses`. */
  | { readonly verb: 'miss'; readonly subject: string; readonly frame: number }
  /** What the buttons of a led session do; only to a player whose state has one. */
  | { readonly verb: 'session'; readonly command: SessionCommand };

/** The buttons of a led session. */
export type SessionCommand = 'next' | 'again' | 'longer';

/** The state of a player, as its remote shows it. All frames are those of the subject. */
export interface RemoteState {
  /** The part that plays, or the run; commands for another one are dropped. */
  readonly subject: string;
  readonly routine: string;
  readonly routineTitle: string;
  readonly part: string;
  readonly title: string;
  /** The part's index in the routine, from 0. */
  readonly index: number;
  readonly previous: string | null;
  readonly next: string | null;
  readonly startFrame: number;
  readonly endFrame: number;
  readonly state: PlayerState;
  readonly wantsToPlay: boolean;
  readonly frame: number;
  readonly countdownFramesLeft: number;
  /** The number that a count-in has reached, else 0; missing in earlier versions. */
  readonly countInNumber?: number;
  readonly percent: number;
  /** A run through the whole routine has no loop. */
  readonly canLoop: boolean;
  readonly loopMode: LoopMode;
  readonly markerA: number | null;
  readonly markerB: number | null;
  readonly seekSeconds: number;
  /** Whether back and forward go from eight to eight instead; missing in earlier versions. */
  readonly seeksEights?: boolean;
  /** What a led session does there; null without one, missing in earlier versions. */
  readonly session?: string | null;
  /** The browser there does not start sound before the page was touched. */
  readonly needsTap: boolean;
  /** Whether a run-through is played there; missing in earlier versions. */
  readonly takesMisses?: boolean;
  readonly problem: string | null;
}

/** One message between two pages. */
export type RemoteMessage =
  /** To a player: requests its state. */
  | { readonly kind: 'ask' }
  /** To a player: a remote controls it. Repeated as long as it does. */
  | { readonly kind: 'watch'; readonly number: number; readonly name: string }
  /** To a player: the remote has left. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'do'; readonly sequence: number; readonly action: RemoteAction }
  /**
   * To a remote. `number` rises; `echo` is the latest watch, `done` the latest command carried out.
   */
  | {
      readonly kind: 'state'; readonly number: number; readonly echo: number; readonly done: number;
      readonly state: RemoteState;
    }
  /** To a remote: the controlled page was left. */
  | { readonly kind: 'closed' };

/** A player that can be controlled. */
export interface RemotePlayer {
  readonly id: string;
  readonly name: string;
}

/** The maximum length of a text, so that a message stays below the server's 2 kB. */
export const longestText = 120;

type Values = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Values => (
  typeof value === 'object' && value !== null && !Array.isArray(value)
);
const isFrame = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isCount = isFrame;
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 200;
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isMarker = (value: unknown): value is number | null => value === null || isFrame(value);
const isLoopMode = (value: unknown): value is LoopMode => (
  value === 'off' || value === 'whole' || value === 'section'
);
const isPercent = (value: unknown): value is number => (
  typeof value === 'number' && value >= 1 && value <= 1_000
);
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const playerStates: readonly unknown[] = [
  'empty', 'ready', 'loading', 'countdown', 'playing', 'resting', 'paused', 'ended', 'problem',
];

const stateFields: { readonly [K in keyof Required<RemoteState>]: (value: unknown) => boolean } = {
  subject: isText, routine: isText, routineTitle: isText, part: isText, title: isText, index: isCount,
  previous: isTextOrNull, next: isTextOrNull, startFrame: isFrame, endFrame: isFrame,
  state: (value) => playerStates.includes(value), wantsToPlay: isFlag, frame: isFrame,
  countdownFramesLeft: isFrame, countInNumber: (value) => value === undefined || isCount(value), percent: isPercent, canLoop: isFlag, loopMode: isLoopMode,
  markerA: isMarker, markerB: isMarker, needsTap: isFlag, problem: isTextOrNull,
  seekSeconds: (value) => typeof value === 'number' && value > 0 && value <= 600,
  seeksEights: (value) => value === undefined || isFlag(value), takesMisses: (value) => value === undefined || isFlag(value),
  session: (value) => value === undefined || isTextOrNull(value),
};

function isState(value: unknown): value is RemoteState {
  return isObject(value)
    && Object.entries(stateFields).every(([name, fits]) => fits(value[name]));
}

function isAction(value: unknown): value is RemoteAction {
  if (!isObject(value)) return false;
  switch (value['verb']) {
    case 'play':
    case 'pause':
      return true;
    case 'part':
      return isText(value['part']);
    case 'session':
      return value['command'] === 'next' || value['command'] === 'again' || value['command'] === 'longer';
    case 'seek':
    case 'miss':
      return isText(value['subject']) && isFrame(value['frame']);
    case 'step':
      return isText(value['subject']) && (value['direction'] === 1 || value['direction'] === -1);
    case 'speed':
      return isText(value['subject']) && isPercent(value['percent']);
    case 'loop':
      return isText(value['subject']) && isLoopMode(value['loopMode'])
        && isMarker(value['markerA']) && isMarker(value['markerB']);
    default:
      return false;
  }
}

/** Parses a message; null if it is invalid or of an unknown version. */
export function readMessage(value: unknown): RemoteMessage | null {
  if (!isObject(value)) return null;
  switch (value['kind']) {
    case 'ask':
    case 'leave':
    case 'closed':
      return { kind: value['kind'] };
    case 'watch': {
      const { number, name } = value;
      return isCount(number) && isText(name) ? { kind: 'watch', number, name } : null;
    }
    case 'do': {
      const { sequence, action } = value;
      return isCount(sequence) && isAction(action) ? { kind: 'do', sequence, action } : null;
    }
    case 'state': {
      const { number, echo, done, state } = value;
      return isCount(number) && isCount(echo) && isCount(done) && isState(state)
        ? { kind: 'state', number, echo, done, state } : null;
    }
    default:
      return null;
  }
}

/** Parses the event `remote`: sender, receiver and message. */
export function readRemoteEvent(
  value: unknown,
): { readonly from: string; readonly to: string | null; readonly message: RemoteMessage } | null {
  if (!isObject(value) || typeof value['from'] !== 'string') return null;
  const message = readMessage(value['command']);
  const to = typeof value['to'] === 'string' ? value['to'] : null;
  return message && { from: value['from'], to, message };
}

/** Parses the list of players, without the requesting page. */
export function readPlayers(value: unknown, own: string): RemotePlayer[] {
  const list = isObject(value) ? value['clients'] : null;
  if (!Array.isArray(list)) return [];
  return list.flatMap((each: unknown) => {
    if (!isObject(each) || typeof each['id'] !== 'string' || each['id'] === own) return [];
    const { device, name } = each;
    // The owner's name for a device takes precedence over the page's own name.
    const said = [isObject(device) ? device['name'] : null, name]
      .find((text) => typeof text === 'string' && text !== '');
    return [{ id: each['id'], name: String(said ?? lateWords.remote.device) }];
  });
}

/** Truncates a text to the limit of a message, never inside a surrogate pair. */
export function shortened(text: string): string {
  if (text.length <= longestText) return text;
  return `${Array.from(text.slice(0, longestText - 2)).slice(0, -1).join('')}…`;
}

const framesPerMillisecond = 48;

/** The position of a player, some milliseconds after its report. */
export function positionAfter(state: RemoteState, milliseconds: number): number {
  if (state.state !== 'playing' || !state.wantsToPlay) return state.frame;
  const moved = Math.max(0, milliseconds) * framesPerMillisecond * (state.percent / 100);
  const inSection = state.loopMode === 'section' && state.markerB !== null;
  const end = inSection ? state.markerB ?? state.endFrame : state.endFrame;
  return Math.round(Math.min(state.frame + moved, Math.max(end, state.frame)));
}
