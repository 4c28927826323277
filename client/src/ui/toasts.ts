// Short messages at the edge of the screen, some with an action.

import { Listeners } from '../sync/listeners';
import { words } from '../words/words';

/** A button of a message. */
interface Action {
  readonly label: string;
  readonly run: () => void;
}

/** A message on the screen. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action: Action | null;
  /** A second action, beside the first. */
  readonly other: Action | null;
  readonly kind: 'plain' | 'problem';
}

/** Calls back after some milliseconds; returns a function that cancels it. */
type Timer = (milliseconds: number, callback: () => void) => () => void;

const millisecondsKept = 10_000;

/** The number that fits on a phone. */
export const mostShown = 3;

const browserTimer: Timer = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};

const canUndo = (toast: Toast): boolean => toast.action?.label === words.common.undo;

/**
 * The messages of the last ten seconds; each disappears after that, unless it is being read. A new
 * one may replace an older one earlier, but never one with an undo.
 */
export class Toasts {
  /** Keeps its identity between changes; the newest last. */
  kept: readonly Toast[] = [];
  private nextId = 1;
  private readonly listeners = new Listeners();
  /** The functions that cancel the timeout of each message; a held message has none. */
  private readonly ends = new Map<number, () => void>();

  constructor(private readonly timer: Timer = browserTimer) {}

  /** Calls `listener` after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Shows a message. */
  say(text: string, options: Partial<Pick<Toast, 'action' | 'other' | 'kind'>> = {}): void {
    const toast: Toast = {
      id: this.nextId, text, action: null, other: null, kind: 'plain', ...options,
    };
    this.nextId += 1;
    const tooMany = Math.max(0, this.kept.length + 1 - mostShown);
    for (const old of this.kept.filter((each) => !canUndo(each)).slice(0, tooMany)) this.drop(old.id);
    this.change([...this.kept, toast]);
    this.resume(toast.id);
    this.letGo(this.kept.slice(0, -mostShown));
  }

  /** Runs the action of a message, or its other one, and removes it. */
  act(id: number, which: 'action' | 'other' = 'action'): void {
    const toast = this.kept.find((each) => each.id === id);
    this.dismiss(id);
    toast?.[which]?.run();
  }

  /** Undoes the newest action that can be undone; returns whether there was one. */
  undoNewest(): boolean {
    const newest = this.kept.filter(canUndo).pop();
    if (newest) this.act(newest.id);
    return newest !== undefined;
  }

  /** Removes a message. */
  dismiss(id: number): void {
    this.drop(id);
    this.change(this.kept);
  }

  /** Keeps a message while it is being read. */
  hold(id: number): void {
    this.ends.get(id)?.();
    this.ends.delete(id);
  }

  /** Restarts the ten seconds of a message. */
  resume(id: number): void {
    this.hold(id);
    // The pointer leaves a dismissed message only after its removal.
    if (!this.kept.some((toast) => toast.id === id)) return;
    this.ends.set(id, this.timer(millisecondsKept, () => this.dismiss(id)));
  }

  /** Renders the messages again after a dialog was opened or closed. */
  rehome(): void {
    this.letGo(this.kept);
    this.change([...this.kept]);
  }

  /** Ends the hold of messages whose elements were removed, since no leave event follows. */
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
