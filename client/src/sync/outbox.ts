// The changes that the server has not acknowledged yet, in the order of their stamps.

import { isOfLog } from './records';
import type { Change } from './wire';

interface Entry {
  readonly change: Change;
  /** Whether it may have left this page, so that a later change can no longer replace it. */
  sent: boolean;
}

/** Holds pending changes. */
export class Outbox {
  private readonly entries = new Map<string, Entry>();
  /** Whether the entries are in the order of their stamps. */
  private sorted = true;
  private last = '';

  get size(): number {
    return this.entries.size;
  }

  /** Returns the changes with these ids. */
  find(ids: Iterable<string>): Change[] {
    const found: Change[] = [];
    for (const id of ids) {
      const entry = this.entries.get(id);
      if (entry) found.push(entry.change);
    }
    return found;
  }

  /** Adds a change; a change that was loaded or came from another tab counts as sent. */
  add(change: Change, sent: boolean): void {
    if (this.entries.has(change.id)) return;
    this.entries.set(change.id, { change, sent });
    if (change.at < this.last) this.sorted = false;
    else this.last = change.at;
  }

  /** Returns the changes in order. */
  get all(): Change[] {
    return [...this.inOrder()].map(({ change }) => change);
  }

  remove(id: string): void {
    this.entries.delete(id);
  }

  /**
   * Selects the other changes of a record whose fields a new change replaces completely. An entry of the log is
   * rewritten every few minutes, for days without a network: there also a change that was sent is replaced, which the
   * later stamp makes harmless.
   */
  replacedBy(change: Change, others: readonly Change[]): Change[] {
    return others.filter(
      (other) =>
        other.id !== change.id &&
        other.at < change.at &&
        (isOfLog(other) || this.entries.get(other.id)?.sent === false) &&
        Object.keys(other.fields).every((field) => field in change.fields),
    );
  }

  /** Returns the oldest changes, as many as fit, and marks them as sent. */
  take(most: number, mostCharacters: number): Change[] {
    const taken: Change[] = [];
    let room = mostCharacters;
    for (const entry of this.inOrder()) {
      room -= JSON.stringify(entry.change).length;
      if (taken.length >= most || (room < 0 && taken.length > 0)) break;
      entry.sent = true;
      taken.push(entry.change);
    }
    return taken;
  }

  private inOrder(): Iterable<Entry> {
    if (!this.sorted) {
      const all = [...this.entries.values()];
      all.sort((a, b) => (a.change.at < b.change.at ? -1 : 1));
      this.entries.clear();
      for (const entry of all) this.entries.set(entry.change.id, entry);
      this.sorted = true;
    }
    return this.entries.values();
  }
}
