// Sends messages one at a time, in order. A message that waits too long is dropped, so that a
// delayed press does not start the music half a minute later.

import type { Timer } from '../sync/environment';
import type { RemoteMessage } from './protocol';

/** The environment of the line. */
export interface LineWorld {
  /** Delivers a message to the server; throws if that fails. */
  deliver(to: string, message: RemoteMessage): Promise<void>;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  readonly timer: Timer;
}

/** The minimum interval: the server accepts 30 messages a second from one device. */
const spacing = 60;
/** A message that has waited longer is outdated. */
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

  /** Sends a message. It replaces a waiting message for the same receiver and slot. */
  send(to: string, message: RemoteMessage, slot: string): void {
    this.waiting = this.waiting.filter((each) => each.to !== to || each.slot !== slot);
    this.waiting.push({ to, message, slot, since: this.world.now() });
    if (!this.isBusy) void this.run();
  }

  private async run(): Promise<void> {
    this.isBusy = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      if (this.world.now() - next.since > longestWait) continue;
      // A lost message shows as a missing answer.
      await this.world.deliver(next.to, next.message).catch(() => undefined);
      await new Promise<void>((resolve) => {
        this.world.timer(spacing, resolve);
      });
    }
    this.isBusy = false;
  }
}
