// A set of listeners that may be added and removed during a notification.

/** Notifies listeners of events. */
export class Listeners<E = void> {
  private readonly listeners = new Set<{ readonly call: (event: E) => void }>();

  /** Adds a listener and returns the function that removes it. May be passed on unbound. */
  readonly add = (call: (event: E) => void): (() => void) => {
    const entry = { call };
    this.listeners.add(entry);
    return () => {
      this.listeners.delete(entry);
    };
  };

  /** Calls every listener; skips one that another listener has just removed. */
  tell(event: E): void {
    for (const entry of [...this.listeners]) if (this.listeners.has(entry)) entry.call(event);
  }

  /** Removes all. */
  clear(): void {
    this.listeners.clear();
  }
}
