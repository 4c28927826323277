// Short messages at the edge of the screen, some with one thing to do about them.

import { Listeners } from '../sync/listeners';

/** A message on the screen. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
  readonly kind: 'plain' | 'problem';
}

/** Calls back after some milliseconds; gives the function that calls it off. */
type Timer = (milliseconds: number, callback: () => void) => () => void;

const millisecondsKept = 10_000;

/** As many as a phone has room for. */
export const mostShown = 3;

const browserTimer: Timer = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};

const canUndo = (toast: Toast): boolean => toast.action?.label === 'Undo';

/**
 * The messages of the last ten seconds; each leaves after that, unless someone is reading it. A new
 * one may drive out an older one earlier, but never what can be undone.
 */
export class Toasts {
  /** Keeps its identity between changes; the newest last. */
  kept: readonly Toast[] = [];
  private nextId = 1;
  private readonly listeners = new Listeners();
  /** What calls off the end of each message; one that is held has none. */
  private readonly ends = new Map<number, () => void>();

  constructor(private readonly timer: Timer = browserTimer) {}

  /** Calls `listener` after every change; returns what stops it. */
  readonly subscribe = this.listeners.add;

  /** Shows a message. */
  say(text: string, options: { action?: Toast['action']; kind?: Toast['kind'] } = {}): void {
    const toast: Toast = {
      id: this.nextId, text, action: options.action ?? null, kind: options.kind ?? 'plain',
    };
    this.nextId += 1;
    const tooMany = Math.max(0, this.kept.length + 1 - mostShown);
    for (const old of this.kept.filter((each) => !canUndo(each)).slice(0, tooMany)) this.drop(old.id);
    this.change([...this.kept, toast]);
    this.resume(toast.id);
    this.letGo(this.kept.slice(0, -mostShown));
  }

  /** Does what a message offers, and takes it away. */
  act(id: number): void {
    const toast = this.kept.find((each) => each.id === id);
    this.dismiss(id);
    toast?.action?.run();
  }

  /** Undoes the newest of what can be undone; says whether there was any. */
  undoNewest(): boolean {
    const newest = this.kept.filter(canUndo).pop();
    if (newest) this.act(newest.id);
    return newest !== undefined;
  }

  /** Takes a message away. */
  dismiss(id: number): void {
    this.drop(id);
    this.change(this.kept);
  }

  /** Keeps a message while it is read. */
  hold(id: number): void {
    this.ends.get(id)?.();
    this.ends.delete(id);
  }

  /** Lets the ten seconds of a message begin again. */
  resume(id: number): void {
    this.hold(id);
    // One that was dismissed by its own button is left by the pointer only then.
    if (!this.kept.some((toast) => toast.id === id)) return;
    this.ends.set(id, this.timer(millisecondsKept, () => this.dismiss(id)));
  }

  /** Shows the messages anew: a dialog opened or closed over the page that holds them. */
  rehome(): void {
    this.letGo(this.kept);
    this.change([...this.kept]);
  }

  /** Ends the reading of messages whose elements went: nobody leaves those. */
  private letGo(gone: readonly Toast[]): void {
    for (const { id } of gone) if (!this.ends.has(id)) this.resume(id);
  }

  private drop(id: number): void {
    this.hold(id);
    this.kept = this.kept.filter((toast) => toast.id !== id);
  }

  private change(kept: readonly Toast[]): void {
    this.kept = kept;
    this.listeners.tell();
  }
}

/** The app's one list of messages. */
export const toasts = new Toasts();
