// Asks the server for its time: several rounds at first, then one now and then.

import type { Timer } from '../sync/environment';
import { ServerTime } from './serverTime';

interface RoundsWorld {
  /** Asks for the server's time in milliseconds; throws without an answer. */
  ask(): Promise<number>;
  now(): number;
  readonly timer: Timer;
  /** After each round. */
  onRound(): void;
}

const firstRounds = 8;
const firstMilliseconds = 60;
const laterMilliseconds = 4_000;

/** Keeps the server's time while a page leads or follows. */
export class Rounds {
  readonly time = new ServerTime();
  private count = 0;
  private isClosed = false;
  private stop: (() => void) | null = null;

  constructor(private readonly world: RoundsWorld) {
    void this.round();
  }

  /** Begins anew: another server may answer now. */
  restart(): void {
    this.count = 0;
    if (!this.stop) return;
    this.stop();
    void this.round();
  }

  close(): void {
    this.isClosed = true;
    this.stop?.();
  }

  private async round(): Promise<void> {
    this.stop = null;
    const sentAt = this.world.now();
    const serverTime = await this.world.ask().catch(() => null);
    if (this.isClosed) return;
    if (serverTime !== null) {
      this.time.take({ sentAt, answeredAt: this.world.now(), serverTime });
      this.count += 1;
      this.world.onRound();
    }
    // Without an answer the first rounds are not over yet, and the server need not be asked so often.
    const isEarly = this.count < firstRounds && serverTime !== null;
    this.stop = this.world.timer(isEarly ? firstMilliseconds : laterMilliseconds, () => void this.round());
  }
}
