// Lets a few at a time pass, in the order in which they came.

/** A lane with a number of places. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Settles with the function that gives the place back; when aborted first, it takes no place. */
  async enter(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted || !(await this.place(signal))) return () => undefined;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      // The place passes straight on, so that nobody who comes now can slip in between.
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    };
  }

  /** Settles with whether there is a place. */
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
