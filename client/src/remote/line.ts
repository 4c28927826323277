// The way out: one message at a time, in order. What waits too long is dropped, so that a press that
// nobody heard does not start the music half a minute later.

import type { Timer } from '../sync/environment';
import type { RemoteMessage } from './protocol';

/** What the line needs from outside. */
export interface LineWorld {
  /** Delivers a message to the server; throws when it can't. */
  deliver(to: string, message: RemoteMessage): Promise<void>;
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  readonly timer: Timer;
}

/** At most so often: the server takes 30 messages a second from one device. */
const spacing = 60;
/** After so long a message is of no use any more. */
const longestWait = 2_500;

interface Waiting {
  readonly to: string;
  readonly message: RemoteMessage;
  readonly slot: string;
  readonly since: number;
}

/** Sends messages. */
export class Line {
  private waiting: Waiting[] = [];
  private isBusy = false;

  constructor(private readonly world: LineWorld) {}

  /** Sends a message. One that still waits for the same receiver and slot makes room for it. */
  send(to: string, message: RemoteMessage, slot: string): void {
    this.waiting = this.waiting.filter((each) => each.to !== to || each.slot !== slot);
    this.waiting.push({ to, message, slot, since: this.world.now() });
    if (!this.isBusy) void this.run();
  }

  private async run(): Promise<void> {
    this.isBusy = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      if (this.world.now() - next.since > longestWait) continue;
      // What did not arrive shows in the answers that stay away.
      await this.world.deliver(next.to, next.message).catch(() => undefined);
      await new Promise<void>((resolve) => {
        this.world.timer(spacing, resolve);
      });
    }
    this.isBusy = false;
  }
}
