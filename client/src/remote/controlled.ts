// The end with the loudspeaker: takes commands from other devices, once and in order, and tells them
// how the player stands, about four times a second while it plays and at once when something changes.

import { framesPerSecond } from '../timeline';
import type { Timer } from '../sync/environment';
import {
  positionAfter, type RemoteAction, type RemoteMessage, type RemoteState,
} from './protocol';

/** What a remote may do on this page. */
export interface Controls {
  /** Reads how the player stands; null while there is none. */
  read(): RemoteState | null;
  /** Does what was asked, as far as it makes sense here. */
  take(action: RemoteAction): void;
}

/** What the controlled end needs from outside. */
export interface ControlledWorld {
  send(to: string, message: RemoteMessage, slot: string): void;
  now(): number;
  readonly timer: Timer;
}

/** Who controls this page. */
export interface Watcher {
  readonly id: string;
  readonly name: string;
}

/** A remote that has not been heard of for so long is gone. */
const watcherLastsMilliseconds = 6_000;
const playingMilliseconds = 250;
/** Changes that follow closer than this are told together. */
const gatherMilliseconds = 40;
/** A place further off than this, in frames, is a jump. */
const jumpFrames = 9_600;
const mostWatchers = 4;
const mostRemembered = 50;

interface Watching {
  name: string;
  echo: number;
  stop: () => void;
}

/** The page's own player as others control it. */
export class Controlled {
  /** Keeps its identity between changes. */
  watchers: readonly Watcher[] = [];
  private readonly watching = new Map<string, Watching>();
  /** The latest command of each remote, also of one that was away for a while. */
  private readonly done = new Map<string, number>();
  private number = 0;
  private told: { readonly key: string; readonly state: RemoteState } | null = null;
  private toldAt = -Infinity;
  private stopTelling: (() => void) | null = null;

  constructor(
    private readonly world: ControlledWorld,
    private readonly controls: Controls,
    private readonly onWatchers: () => void,
  ) {}

  /** Takes a message to this page; those for a remote are not meant for it. */
  heard(from: string, message: RemoteMessage): void {
    switch (message.kind) {
      case 'ask': {
        const state = this.controls.read();
        if (state) this.tell(from, state);
        break;
      }
      case 'watch':
        this.watch(from, message.name, message.number);
        break;
      case 'leave':
        this.forget(from);
        break;
      case 'do':
        if (message.sequence <= (this.done.get(from) ?? 0)) return;
        this.remember(from, message.sequence);
        this.controls.take(message.action);
        // Also when nothing came of it: the remote waits for the word that it was heard.
        this.told = null;
        this.changed();
        break;
      default:
        break;
    }
  }

  /** Looks how the player stands, and tells the remotes what they have to know. */
  changed(): void {
    if (this.watching.size === 0 || this.stopTelling) return;
    const state = this.controls.read();
    if (!state) return;
    const since = this.world.now() - this.toldAt;
    const isOther = this.told?.key !== keyOf(state) || this.hasJumped(state, since);
    if (!isOther && (state.state !== 'playing' || since < playingMilliseconds)) return;
    this.stopTelling = this.world.timer(isOther && since < gatherMilliseconds ? gatherMilliseconds : 0, () => {
      this.stopTelling = null;
      this.tellAll();
    });
  }

  /** Ends it: the page is left. */
  close(): void {
    this.stopTelling?.();
    this.stopTelling = null;
    for (const id of [...this.watching.keys()]) {
      this.world.send(id, { kind: 'closed' }, 'state');
      this.forget(id);
    }
  }

  private hasJumped(state: RemoteState, since: number): boolean {
    if (!this.told) return true;
    return Math.abs(state.frame - positionAfter(this.told.state, since)) > jumpFrames;
  }

  private watch(id: string, name: string, number: number): void {
    const known = this.watching.get(id);
    if (!known && this.watching.size >= mostWatchers) return;
    known?.stop();
    const stop = this.world.timer(watcherLastsMilliseconds, () => this.forget(id));
    this.watching.set(id, { name, echo: Math.max(number, known?.echo ?? 0), stop });
    if (known?.name !== name) this.listWatchers();
    const state = this.controls.read();
    if (state) this.tell(id, state);
  }

  private forget(id: string): void {
    const known = this.watching.get(id);
    if (!known) return;
    known.stop();
    this.watching.delete(id);
    this.listWatchers();
  }

  private remember(id: string, sequence: number): void {
    // Taken out first, so that the oldest of all stands first.
    this.done.delete(id);
    this.done.set(id, sequence);
    const [oldest] = this.done.keys();
    if (this.done.size > mostRemembered && oldest !== undefined) this.done.delete(oldest);
  }

  private tellAll(): void {
    const state = this.controls.read();
    if (!state) return;
    this.told = { key: keyOf(state), state };
    this.toldAt = this.world.now();
    for (const id of this.watching.keys()) this.tell(id, state);
  }

  private tell(to: string, state: RemoteState): void {
    this.number += 1;
    const echo = this.watching.get(to)?.echo ?? 0;
    const done = this.done.get(to) ?? 0;
    this.world.send(to, { kind: 'state', number: this.number, echo, done, state }, 'state');
  }

  private listWatchers(): void {
    this.watchers = [...this.watching].map(([id, { name }]) => ({ id, name }));
    this.onWatchers();
  }
}

/** Everything whose change is told at once; the seconds of a countdown, but not the place in the song. */
function keyOf(state: RemoteState): string {
  const second = Math.ceil(state.countdownFramesLeft / framesPerSecond);
  return JSON.stringify({ ...state, frame: 0, countdownFramesLeft: second });
}
