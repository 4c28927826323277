// Writes to the store in the background: one transaction at a time, in the order of what happened.
//
// What is still to be written is gathered in one batch. A batch that fails goes back under what came
// after it and is tried again, so that the stored copy has no gap: it is old, or it is right.

import type { Timer } from './environment';
import { recordKey } from './store';
import type { Batch, Reach, Store } from './store';
import type { Change, Rejected, WireRecord } from './wire';

/** What one event adds to the next batch. */
export interface Addition {
  readonly clear?: boolean;
  readonly from?: number;
  readonly records?: readonly WireRecord[];
  readonly reach?: Reach;
  readonly put?: readonly Change[];
  readonly drop?: readonly string[];
  readonly reject?: readonly Rejected[];
  readonly dismiss?: readonly string[];
}

const retryAfterMilliseconds = 10_000;

class Gathered implements Batch {
  clear = false;
  from = 0;
  records = new Map<string, WireRecord>();
  outbox = new Map<string, Change | null>();
  rejected = new Map<string, Rejected | null>();
  reach: Reach | null = null;

  add(addition: Addition): void {
    if (addition.clear) {
      this.clear = true;
      this.records.clear();
    }
    if (addition.reach) {
      if (!this.reach) this.from = addition.from ?? 0;
      this.reach = addition.reach;
    }
    for (const record of addition.records ?? []) {
      this.records.set(recordKey(record.type, record.id), record);
    }
    for (const change of addition.put ?? []) this.outbox.set(change.id, change);
    for (const id of addition.drop ?? []) this.outbox.set(id, null);
    for (const rejected of addition.reject ?? []) this.rejected.set(rejected.id, rejected);
    for (const id of addition.dismiss ?? []) this.rejected.set(id, null);
  }

  /** Puts what came later on top of this. */
  append(later: Gathered): void {
    if (later.clear) {
      this.clear = true;
      this.records.clear();
    }
    if (later.reach) {
      if (!this.reach) this.from = later.from;
      this.reach = later.reach;
    }
    for (const [key, record] of later.records) this.records.set(key, record);
    for (const [id, change] of later.outbox) this.outbox.set(id, change);
    for (const [id, rejected] of later.rejected) this.rejected.set(id, rejected);
  }

  get isEmpty(): boolean {
    return !this.clear && !this.reach && this.outbox.size + this.rejected.size === 0;
  }
}

/** Carries additions into a store. */
export class Writer {
  private waiting = new Gathered();
  private writing: Promise<void> | null = null;
  private stopRetry: (() => void) | null = null;

  /** `onOutcome` hears after each transaction what went wrong, or null. */
  constructor(
    private readonly store: Store,
    private readonly timer: Timer,
    private readonly onOutcome: (failure: unknown) => void,
  ) {}

  /** Takes an addition; it is on its way when this returns. */
  add(addition: Addition): void {
    this.waiting.add(addition);
    if (!this.writing) this.write();
  }

  /** Settles when what was added so far is stored, or could not be. */
  async settled(): Promise<void> {
    while (this.writing) await this.writing;
  }

  /** Writes what is waiting, then closes the store. */
  async close(): Promise<void> {
    await this.settled();
    this.stopRetry?.();
    this.store.close();
  }

  private write(): void {
    this.stopRetry?.();
    this.stopRetry = null;
    if (this.waiting.isEmpty) return;
    const batch = this.waiting;
    this.waiting = new Gathered();
    this.writing = this.commit(batch).then((failure) => {
      this.writing = null;
      this.onOutcome(failure);
      if (failure === null) {
        this.write();
        return;
      }
      batch.append(this.waiting);
      this.waiting = batch;
      this.stopRetry = this.timer(retryAfterMilliseconds, () => this.write());
    });
  }

  private async commit(batch: Batch): Promise<unknown> {
    try {
      await this.store.commit(batch);
      return null;
    } catch (failure) {
      return failure ?? new Error('The browser could not store it.');
    }
  }
}
