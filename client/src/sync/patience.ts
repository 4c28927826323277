// Trying again: waits that grow, and an end when it has failed too often.

import type { Environment } from './environment';
import { Refused, Unreached } from './requests';
import { isFinal } from './tus';

/** Ends work on a file with a sentence for the user. */
export class Problem extends Error {}

/** With the waits between them, about two minutes. */
const mostFailures = 10;
const longestPause = 20_000;

/** Tries things again for one upload. */
export class Patience {
  /** `onTrouble` hears when a try failed (true) and when the next one begins (false). */
  constructor(
    private readonly environment: Pick<Environment, 'timer' | 'page'>,
    private readonly onTrouble: (isWaiting: boolean) => void,
  ) {}

  /**
   * Does something until it succeeds, is refused for good, or has failed too often in a row.
   * A failure after `progress` has grown counts as the first.
   */
  async persist(
    signal: AbortSignal, work: () => Promise<void>, progress: () => number = () => 0,
  ): Promise<void> {
    let before = progress();
    for (let failures = 0; ; ) {
      try {
        await work();
        return;
      } catch (failure) {
        signal.throwIfAborted();
        const isPassing = failure instanceof Unreached || failure instanceof Refused;
        if (!isPassing || isFinal(failure)) throw failure;
        failures = progress() > before ? 1 : failures + 1;
        before = progress();
        if (failures > mostFailures) {
          throw new Problem('The connection broke and did not come back. Retry goes on from there.');
        }
        this.onTrouble(true);
        await this.pause(Math.min(500 * 2 ** failures, longestPause), signal);
        signal.throwIfAborted();
        this.onTrouble(false);
      }
    }
  }

  /** Waits; shorter when the network comes back or the signal says so. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        stopTimer();
        stopOnline();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const stopTimer = this.environment.timer(milliseconds, end);
      const stopOnline = this.environment.page.onOnline(end);
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    });
  }
}
