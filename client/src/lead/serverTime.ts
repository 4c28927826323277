// The server's clock, as far as this page knows it: from rounds of asking for the time, as in NTP. Pure.

/** One round: when the question left and the answer came, in milliseconds of the page, and what the server said. */
export interface Round {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly serverTime: number;
}

/** How fast two clocks part at most, as a ratio: 50 parts in a million. */
const drift = 5e-5;
const mostRounds = 64;
const lastsMilliseconds = 300_000;

/** Half of the time on the way: the answer may have been given at any moment of it. */
const errorOf = ({ sentAt, answeredAt }: Round): number => (answeredAt - sentAt) / 2;

/** The server's clock. Of all rounds the one counts that says most: that was short, and not long ago. */
export class ServerTime {
  private rounds: readonly Round[] = [];
  private best: Round | null = null;

  /** Takes a round; one that can't be is ignored. */
  take(round: Round): void {
    const { sentAt, answeredAt, serverTime } = round;
    if (!(answeredAt >= sentAt) || !Number.isFinite(serverTime)) return;
    this.rounds = [...this.rounds, round].slice(-mostRounds)
      .filter((each) => answeredAt - each.answeredAt < lastsMilliseconds);
    const doubt = (each: Round): number => errorOf(each) + (answeredAt - each.answeredAt) * drift;
    this.best = this.rounds.reduce((best, each) => (doubt(each) <= doubt(best) ? each : best), round);
  }

  /** Forgets everything: another server may answer now. */
  reset(): void {
    this.rounds = [];
    this.best = null;
  }

  /** The server's time minus the page's, in milliseconds; null before the first round. */
  get offset(): number | null {
    const { best } = this;
    return best && best.serverTime - (best.sentAt + best.answeredAt) / 2;
  }

  /** How wrong that may be at a time of the page, in milliseconds; null before the first round. */
  uncertaintyAt(milliseconds: number): number | null {
    const { best } = this;
    return best && errorOf(best) + Math.max(0, milliseconds - best.answeredAt) * drift;
  }
}
