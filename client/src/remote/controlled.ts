// The controlled end, which plays: takes commands from other devices, once and in order, and sends
// them the player's state, about four times a second while it plays and at once after a change.

import { framesPerSecond } from '../timeline';
import type { Timer } from '../sync/environment';
import {
  positionAfter, type RemoteAction, type RemoteMessage, type RemoteState,
} from './protocol';

/** What a remote may do on this page. */
export interface Controls {
  /** Reads the player's state; null while there is no player. */
  read(): RemoteState | null;
  /** Carries out a command, as far as it is possible here. */
  take(action: RemoteAction): void;
}

/** The environment of the controlled end. */
export interface ControlledWorld {
  send(to: string, message: RemoteMessage, slot: string): void;
  now(): number;
  readonly timer: Timer;
}

/** A device that controls this page. */
export interface Watcher {
  readonly id: string;
  readonly name: string;
}

/** A remote that was silent for this long is gone. */
const watcherLastsMilliseconds = 6_000;
const playingMilliseconds = 250;
/** Changes closer together than this are sent as one. */
const gatherMilliseconds = 40;
/** A position further off than this, in frames, is a jump. */
const jumpFrames = 9_600;
const mostWatchers = 4;
const mostRemembered = 50;

interface Watching {
  name: string;
  echo: number;
  stop: () => void;
}

/** The page's own player, as other devices control it. */
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

  /** Takes a message to this page; ignores those for a remote. */
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
        // Also if the command had no effect: the remote waits for its confirmation.
        this.told = null;
        this.changed();
        break;
      default:
        break;
    }
  }

  /** Reads the player's state, and sends the remotes what changed. */
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

  /** Ends it when the page is left. */
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
    // Deleted first, so that the oldest entry stays first.
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

/**
 * All values whose change is sent at once; includes the numbers of a countdown, but not the
 * position in the song.
 */
function keyOf(state: RemoteState): string {
  const second = Math.ceil(state.countdownFramesLeft / framesPerSecond);
  return JSON.stringify({ ...state, frame: 0, countdownFramesLeft: second });
}
