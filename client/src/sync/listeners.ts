// A set of listeners that may come and go while they are being told.

/** Tells listeners of events. */
export class Listeners<E = void> {
  private readonly listeners = new Set<{ readonly call: (event: E) => void }>();

  /** Adds a listener and gives the function that removes it. It may be passed on as it is. */
  readonly add = (call: (event: E) => void): (() => void) => {
    const entry = { call };
    this.listeners.add(entry);
    return () => {
      this.listeners.delete(entry);
    };
  };

  /** Calls every listener; one that another removes meanwhile is not called. */
  tell(event: E): void {
    for (const entry of [...this.listeners]) if (this.listeners.has(entry)) entry.call(event);
  }

  /** Removes all. */
  clear(): void {
    this.listeners.clear();
  }
}
