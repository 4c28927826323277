// Short messages at the edge of the screen, some with one thing to do about them.

/** A message on the screen. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
  readonly kind: 'plain' | 'problem';
}

const secondsShown = 10;

/** The messages on the screen; each leaves after ten seconds, unless someone is reading it. */
export class Toasts {
  /** Keeps its identity between changes; the newest last. */
  shown: readonly Toast[] = [];
  private nextId = 1;
  private readonly listeners = new Set<() => void>();
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();

  /** Calls `listener` after every change; returns what stops it. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Shows a message. */
  say(text: string, options: { action?: Toast['action']; kind?: Toast['kind'] } = {}): void {
    const toast: Toast = {
      id: this.nextId, text, action: options.action ?? null, kind: options.kind ?? 'plain',
    };
    this.nextId += 1;
    // Three are as many as a phone has room for; the oldest gives way.
    for (const old of this.shown.slice(0, -2)) this.dismiss(old.id);
    this.change([...this.shown, toast]);
    this.resume(toast.id);
  }

  /** Takes a message away. */
  dismiss(id: number): void {
    this.hold(id);
    this.change(this.shown.filter((toast) => toast.id !== id));
  }

  /** Keeps a message while it is read. */
  hold(id: number): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
  }

  /** Lets the ten seconds of a message begin again. */
  resume(id: number): void {
    this.hold(id);
    this.timers.set(id, setTimeout(() => this.dismiss(id), secondsShown * 1000));
  }

  /** Shows the messages anew: a dialog opened or closed over the page that holds them. */
  rehome(): void {
    this.change([...this.shown]);
  }

  private change(shown: readonly Toast[]): void {
    this.shown = shown;
    for (const listener of this.listeners) listener();
  }
}

/** The app's one list of messages. */
export const toasts = new Toasts();
