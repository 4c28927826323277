// Limits concurrency, first come, first served.

/** A semaphore with a number of places. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Settles with the function that releases the place; if aborted first, it takes none. */
  async enter(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted || !(await this.place(signal))) return () => undefined;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      // The place is handed over directly, so that no new caller can take it in between.
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    };
  }

  /** Resolves to whether a place was taken. */
  private place(signal: AbortSignal): Promise<boolean> {
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const go = () => {
        signal.removeEventListener('abort', giveUp);
        resolve(true);
      };
      const giveUp = () => {
        this.waiting.splice(this.waiting.indexOf(go), 1);
        resolve(false);
      };
      this.waiting.push(go);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
