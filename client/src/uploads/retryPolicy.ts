// Retries with growing delays, up to a maximum number of failures.

import type { Environment } from '../sync/environment';
import { ServerError, NetworkError } from '../sync/requests';
import { lateWords } from '../words/lateWords';
import { isFinal } from './tus';

/** Ends the work on a file with a sentence for the user. */
export class Problem extends Error {}

/** A problem of the file itself: a retry would fail again. */
export class InvalidFileError extends Problem {}

/** With the delays between them, about two minutes. */
const mostFailures = 10;
const longestPause = 20_000;

/** Retries operations of one upload. */
export class RetryPolicy {
  /** `onTrouble` gets the number of failures, and 0 when the next try begins. */
  constructor(
    private readonly environment: Pick<Environment, 'timer' | 'page'>,
    private readonly onTrouble: (failures: number) => void,
  ) {}

  /**
   * Repeats an operation until it succeeds, is refused permanently, or is refused too often in a
   * row; without an answer it continues. A failure after `progress` has grown counts as the first.
   */
  async retry(
    signal: AbortSignal, work: () => Promise<void>, progress: () => number = () => 0,
  ): Promise<void> {
    let before = progress();
    for (let failures = 0; ; ) {
      try {
        await work();
        return;
      } catch (failure) {
        signal.throwIfAborted();
        const refusedWith = failure instanceof ServerError ? failure.status : null;
        if (isFinal(failure) || (refusedWith === null && !(failure instanceof NetworkError))) throw failure;
        failures = progress() > before ? 1 : failures + 1;
        before = progress();
        // Without a network or a pairing it waits, possibly for days.
        const isAway = refusedWith === null || refusedWith === 401;
        if (!isAway && failures > mostFailures) {
          throw new Problem(lateWords.uploads.refusedOften);
        }
        this.onTrouble(failures);
        await this.pause(Math.min(500 * 2 ** Math.min(failures, 10), longestPause), signal);
        signal.throwIfAborted();
        this.onTrouble(0);
      }
    }
  }

  /** Waits; ends early when the network is back or the signal is aborted. */
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
