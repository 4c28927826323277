// A clock that tests advance, a mock player, and a network that delays and drops messages.

import { Controlled, type Controls } from '../../src/remote/controlled';
import type { RemoteAction, RemoteMessage, RemoteState } from '../../src/remote/protocol';
import { Remote } from '../../src/remote/remote';

/** Time that tests advance. */
export class Clock {
  time = 1_000_000;
  private timers: { at: number; run: () => void }[] = [];

  now = (): number => this.time;

  timer = (milliseconds: number, run: () => void): (() => void) => {
    const entry = { at: this.time + milliseconds, run };
    this.timers.push(entry);
    return () => {
      this.timers = this.timers.filter((each) => each !== entry);
    };
  };

  /** Advances the time and runs all timers that are due. */
  pass(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const next = [...this.timers].sort((one, other) => one.at - other.at)[0];
      if (!next || next.at > end) break;
      this.timers = this.timers.filter((each) => each !== next);
      this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.time = end;
  }
}

export const standing: RemoteState = {
  subject: 'p2', routine: 'r', routineTitle: 'Swan', part: 'p2', title: 'Chorus', index: 1,
  previous: 'p1', next: 'p3', startFrame: 0, endFrame: 480_000, state: 'paused', wantsToPlay: false,
  frame: 48_000, countdownFramesLeft: 0, percent: 100, canLoop: true, loopMode: 'off',
  markerA: null, markerB: null, seekSeconds: 5, needsTap: false, problem: null,
};

/** A mock player whose position advances with the clock. */
export class SimulatedPlayer implements Controls {
  state: RemoteState | null = standing;
  readonly taken: RemoteAction[] = [];
  private since: number;

  constructor(private readonly clock: Clock) {
    this.since = clock.now();
  }

  read(): RemoteState | null {
    this.moveOn();
    return this.state;
  }

  take(action: RemoteAction): void {
    this.taken.push(action);
    this.moveOn();
    if (!this.state) return;
    switch (action.verb) {
      case 'play':
        this.state = { ...this.state, state: 'playing', wantsToPlay: true };
        break;
      case 'pause':
        this.state = { ...this.state, state: 'paused', wantsToPlay: false };
        break;
      case 'seek':
        this.state = { ...this.state, frame: action.frame };
        break;
      case 'step':
        break;
      case 'loop': {
        const { loopMode, markerA, markerB } = action;
        this.state = { ...this.state, loopMode, markerA, markerB };
        break;
      }
      case 'speed':
        this.state = { ...this.state, percent: action.percent };
        break;
      case 'part': {
        // The parts are p1, p2 and so on. The page shows the new one a moment later.
        const number = Number(action.part.slice(1));
        const [previous, next] = [number > 1 ? `p${number - 1}` : null, `p${number + 1}`];
        this.clock.timer(60, () => {
          this.state = this.state && {
            ...this.state, part: action.part, subject: action.part, index: number - 1, previous, next,
          };
        });
        break;
      }
    }
  }

  private moveOn(): void {
    const passed = this.clock.now() - this.since;
    this.since = this.clock.now();
    if (this.state?.state !== 'playing') return;
    const frame = Math.round(this.state.frame + passed * 48 * (this.state.percent / 100));
    this.state = { ...this.state, frame };
  }
}

/** A remote and a player with a network between them. */
export class Room {
  readonly clock = new Clock();
  readonly player = new SimulatedPlayer(this.clock);
  /** The delay in one direction, in milliseconds. */
  delay = 20;
  isCut = false;
  readonly sent: { from: string; message: RemoteMessage; at: number }[] = [];
  readonly controlled: Controlled;
  readonly remote: Remote;
  private readonly stops: (() => void)[] = [];

  constructor() {
    const { clock } = this;
    this.controlled = new Controlled(
      {
        now: clock.now, timer: clock.timer,
        send: (to, message) => this.carry('laptop', message, () => (
          to === 'phone' && this.remote.heard('laptop', message)
        )),
      },
      this.player, () => undefined);
    this.remote = new Remote({ id: 'laptop', name: 'Laptop' }, 'Phone', {
      now: clock.now, timer: clock.timer,
      send: (_to, message) => this.carry('phone', message, () => this.controlled.heard('phone', message)),
    });
    // The player's own updates, 30 times a second.
    const look = (): void => {
      this.controlled.changed();
      this.stops[0] = clock.timer(33, look);
    };
    look();
  }

  /** Returns the messages of one kind from one side. */
  of(from: string, kind: RemoteMessage['kind']): RemoteMessage[] {
    return this.sent.filter((each) => each.from === from && each.message.kind === kind)
      .map(({ message }) => message);
  }

  private carry(from: string, message: RemoteMessage, arrive: () => void): void {
    this.sent.push({ from, message, at: this.clock.now() });
    if (!this.isCut) this.clock.timer(this.delay, arrive);
  }
}
