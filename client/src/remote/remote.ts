// The controlling end: watches another device's player, shows its state at once, and sends
// commands. A press shows before it is confirmed.

import type { Direction } from '../counts/grid';
import { framesPerSecond } from '../timeline';
import { fastest, slowest } from '../parts/practiceSettings';
import { clearSection, pressLoop, pressSection, setMarker, type LoopState } from '../parts/section';
import { Listeners } from '../sync/listeners';
import type { Timer } from '../sync/environment';
import {
  positionAfter, type RemoteAction, type RemoteMessage, type RemotePlayer, type RemoteState, type SessionCommand,
} from './protocol';

/** The environment of a remote. */
export interface RemoteWorld {
  send(to: string, message: RemoteMessage, slot: string): void;
  now(): number;
  readonly timer: Timer;
}

/** The connection to the other device; `lost` may come back, `gone` does not. */
export type ConnectionState = 'joining' | 'joined' | 'lost' | 'gone';

const watchMilliseconds = 1_500;
/** Silence of this length means a lost connection; less than five seconds in all. */
const lostMilliseconds = 4_000;
/** A press without confirmation after this time was lost: the display reverts. */
const answerMilliseconds = 2_500;

interface Pressed {
  readonly sequence: number;
  readonly patch: Partial<RemoteState>;
  readonly at: number;
}

/** One page's control of another page's player. */
export class Remote {
  reach: ConnectionState = 'joining';
  /**
   * The latest reported state, with the presses since then applied. Keeps its identity between
   * changes.
   */
  state: RemoteState | null = null;
  private told: RemoteState | null = null;
  private toldAt = 0;
  private number = 0;
  private sequence = 0;
  private pressed: Pressed[] = [];
  /** The requested part that is not shown there yet, and the steps pressed since. */
  private turning: { readonly part: string; readonly further: number } | null = null;
  private watchNumber = 0;
  private readonly watchedAt = new Map<number, number>();
  /** The one-way delay of a message, in milliseconds. */
  private delay = 0;
  private stopWatching: (() => void) | null = null;
  private stopWaiting: (() => void) | null = null;
  private stopPressed: (() => void) | null = null;
  private readonly listeners = new Listeners();

  constructor(
    readonly target: RemotePlayer,
    private readonly ownName: string,
    private readonly world: RemoteWorld,
  ) {
    this.watch();
    this.waitForWord();
  }

  /** Calls `listener` after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Takes a message; ignores messages of other pages. */
  heard(from: string, message: RemoteMessage): void {
    if (from !== this.target.id || this.reach === 'gone') return;
    if (message.kind === 'closed') {
      this.lose('gone');
      return;
    }
    // A message that was overtaken is outdated.
    if (message.kind !== 'state' || message.number <= this.number) return;
    this.number = message.number;
    this.measure(message.echo);
    this.told = message.state;
    this.toldAt = this.world.now();
    // An earlier remote of this page has already used some numbers.
    this.sequence = Math.max(this.sequence, message.done);
    this.pressed = this.pressed.filter(({ sequence }) => sequence > message.done);
    this.reach = 'joined';
    this.waitForWord();
    this.show();
    const { turning } = this;
    if (turning?.part !== message.state.part) return;
    this.turning = null;
    if (turning.further !== 0) this.turn(turning.further);
  }

  /** Takes the ids of the available players. */
  heardPlayers(ids: ReadonlySet<string>): void {
    if (!ids.has(this.target.id) && this.reach !== 'gone') this.lose('gone');
  }

  /** Sends `watch` at once, for instance when the page shows again. */
  wake(): void {
    if (this.reach !== 'gone') this.watch();
  }

  /** Returns the frame that plays there now. */
  position(): number {
    const { state } = this;
    if (!state) return 0;
    if (this.reach !== 'joined') return state.frame;
    return positionAfter(state, this.world.now() - this.toldAt + this.delay);
  }

  play(): void {
    this.press({ verb: 'play' }, { wantsToPlay: true }, 'play');
  }

  pause(): void {
    this.press({ verb: 'pause' }, { wantsToPlay: false, frame: this.position() }, 'play');
  }

  toggle(): void {
    if (this.state?.wantsToPlay) this.pause();
    else this.play();
  }

  /** Moves by one of the other device's seek steps. */
  skip(direction: Direction): void {
    const { state } = this;
    if (!state) return;
    if (!state.seeksEights) this.seek(this.position() + direction * state.seekSeconds * framesPerSecond);
    // In a slot of its own: the next step does not replace one that waits.
    else this.press({ verb: 'step', subject: state.subject, direction }, {}, String(this.sequence));
  }

  seek(wanted: number): void {
    const { state } = this;
    if (!state) return;
    // Like the player there: an active section is not left.
    const isSection = state.loopMode === 'section' && state.markerA !== null && state.markerB !== null;
    const first = isSection ? state.markerA ?? state.startFrame : state.startFrame;
    const last = isSection ? state.markerB ?? state.endFrame : state.endFrame;
    const frame = Math.round(Math.min(last, Math.max(first, wanted)));
    this.press({ verb: 'seek', subject: state.subject, frame }, { frame }, 'seek');
  }

  /** Says that something was missed there, at what is heard now. */
  miss(): void {
    const { state } = this;
    // In a slot of its own: the next one does not replace one that waits.
    if (state?.takesMisses) {
      this.press({ verb: 'miss', subject: state.subject, frame: Math.round(this.position()) }, {}, String(this.sequence));
    }
  }

  /** Sets A, then B, then switches the section off and on. */
  section(): void {
    const { state } = this;
    if (state) this.loop(pressSection(state, this.position(), state));
  }

  mark(which: 'a' | 'b'): void {
    const { state } = this;
    if (state) this.loop(setMarker(state, which, this.position(), state));
  }

  whole(): void {
    if (this.state) this.loop(pressLoop(this.state));
  }

  clear(): void {
    if (this.state) this.loop(clearSection(this.state));
  }

  /** Changes the speed by this many percent. */
  faster(delta: number): void {
    const { state } = this;
    if (!state) return;
    const percent = Math.round(Math.min(fastest, Math.max(slowest, state.percent + delta)));
    this.press({ verb: 'speed', subject: state.subject, percent }, { percent }, 'speed');
  }

  /** Presses a button of the led session there. */
  session(command: SessionCommand): void {
    // Each press counts: one does not replace another that waits.
    if (this.state?.session != null) this.press({ verb: 'session', command }, {}, String(this.sequence));
  }

  previous(): void {
    this.turn(-1);
  }

  next(): void {
    this.turn(1);
  }

  /** Stops controlling the other device. */
  close(): void {
    if (this.reach !== 'gone') this.world.send(this.target.id, { kind: 'leave' }, 'watch');
    this.stopAll();
    this.listeners.clear();
  }

  /** Moves on by this many parts; the part after the next is only known once the next is shown. */
  private turn(steps: number): void {
    const { state, turning } = this;
    if (turning) {
      this.turning = { ...turning, further: turning.further + steps };
      return;
    }
    const part = steps > 0 ? state?.next : state?.previous;
    if (!part) return;
    this.turning = { part, further: steps - Math.sign(steps) };
    this.press({ verb: 'part', part }, {}, 'part');
  }

  private loop({ loopMode, markerA, markerB }: LoopState): void {
    const { state } = this;
    if (!state?.canLoop) return;
    const next = { loopMode, markerA, markerB };
    this.press({ verb: 'loop', subject: state.subject, ...next }, next, 'loop');
  }

  private press(action: RemoteAction, patch: Partial<RemoteState>, slot: string): void {
    if (!this.state || this.reach === 'gone') return;
    this.sequence += 1;
    const at = this.world.now();
    this.pressed = [...this.pressed, { sequence: this.sequence, patch, at }];
    this.world.send(this.target.id, { kind: 'do', sequence: this.sequence, action }, slot);
    this.stopPressed?.();
    this.stopPressed = this.world.timer(answerMilliseconds, () => {
      this.stopPressed = null;
      this.pressed = [];
      this.turning = null;
      this.show();
    });
    this.show();
  }

  private watch(): void {
    this.stopWatching?.();
    this.watchNumber += 1;
    this.watchedAt.set(this.watchNumber, this.world.now());
    this.watchedAt.delete(this.watchNumber - 10);
    this.world.send(this.target.id, { kind: 'watch', number: this.watchNumber, name: this.ownName }, 'watch');
    this.stopWatching = this.world.timer(watchMilliseconds, () => this.watch());
  }

  /** Measures the delay from the time between a watch and the first answer to it. */
  private measure(echo: number): void {
    const sentAt = this.watchedAt.get(echo);
    if (sentAt === undefined) return;
    this.watchedAt.delete(echo);
    this.delay = Math.min(500, (this.world.now() - sentAt) / 2);
  }

  private waitForWord(): void {
    this.stopWaiting?.();
    this.stopWaiting = this.world.timer(lostMilliseconds, () => this.lose('lost'));
  }

  private lose(reach: 'lost' | 'gone'): void {
    if (this.state) this.told = { ...this.state, frame: this.position() };
    this.toldAt = this.world.now();
    this.reach = reach;
    this.pressed = [];
    this.turning = null;
    if (reach === 'gone') this.stopAll();
    this.show();
  }

  private stopAll(): void {
    this.stopWatching?.();
    this.stopWaiting?.();
    this.stopPressed?.();
    this.stopWatching = this.stopWaiting = this.stopPressed = null;
  }

  private show(): void {
    const { told } = this;
    this.state = told && Object.assign({}, told, ...this.pressed.map(({ patch }) => patch)) as RemoteState;
    this.listeners.tell();
  }
}
