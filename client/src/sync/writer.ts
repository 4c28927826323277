// Writes to the store in the background, in order.
//
// The write of an edit starts at once, after the current writes, since a page can be killed right
// after a key press. Everything else is collected in one batch, which is written when no write is
// running. A failed batch is merged below all later ones and tried again, so that the stored copy
// has no gap: it is outdated or correct.

import type { Timer } from './environment';
import { recordKey } from './segments';
import type { Batch, SyncCursor, Store } from './store';
import type { Change, Rejected, WireRecord } from './wire';

/** What one event adds to the next batch. */
export interface Addition {
  readonly clear?: boolean;
  readonly from?: number;
  readonly records?: readonly WireRecord[];
  readonly reach?: SyncCursor;
  readonly put?: readonly Change[];
  readonly drop?: readonly string[];
  readonly reject?: readonly Rejected[];
  readonly dismiss?: readonly string[];
}

const retryAfterMilliseconds = 10_000;
/** With this many running writes, edits are collected until one of them ends. */
const mostAtOnce = 8;

class PendingBatch implements Batch {
  clear = false;
  from = 0;
  records = new Map<string, WireRecord>();
  outbox = new Map<string, Change | null>();
  rejected = new Map<string, Rejected | null>();
  reach: SyncCursor | null = null;

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

  /** Merges a later batch on top of this one. */
  append(later: PendingBatch): void {
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
    return this.isOnlyEdits && this.outbox.size === 0;
  }

  get isOnlyEdits(): boolean {
    return !this.clear && !this.reach && this.rejected.size === 0;
  }
}

/** A batch that is being written, or was written while earlier ones still are. */
interface PendingWrite {
  readonly batch: PendingBatch;
  isOver: boolean;
  failure: unknown;
  landing: Promise<void>;
}

/** Writes additions to a store. */
export class Writer {
  private waiting = new PendingBatch();
  /** In the order of their start; without batches that succeeded before all running ones. */
  private flights: PendingWrite[] = [];
  private stopRetry: (() => void) | null = null;

  /** Whenever no write is running any more, `onOutcome` gets the error, or null. */
  constructor(
    private readonly store: Store,
    private readonly timer: Timer,
    private readonly onOutcome: (failure: unknown) => void,
  ) {}

  /** Takes an addition; its write has started when this returns. */
  add(addition: Addition): void {
    this.waiting.add(addition);
    if (this.hasRoom) this.write();
  }

  /**
   * Removes edits that are not written yet, or will be tried again: another tab has handled them.
   */
  forget(ids: readonly string[]): void {
    const batches = [this.waiting, ...this.flights.map(({ batch }) => batch)];
    const drop = ids.filter((id) => batches.some(({ outbox }) => outbox.get(id)));
    if (drop.length > 0) this.add({ drop });
  }

  /** Settles once all additions so far are stored, or failed to be. */
  async settled(): Promise<void> {
    while (this.flights.length > 0) await Promise.all(this.flights.map(({ landing }) => landing));
  }

  /** Writes the waiting additions, then closes the store. */
  async close(): Promise<void> {
    await this.settled();
    this.stopRetry?.();
    this.store.close();
  }

  private get hasRoom(): boolean {
    const underWay = this.flights.filter(({ isOver }) => !isOver).length;
    return this.flights.length === 0 || (this.waiting.isOnlyEdits && underWay < mostAtOnce);
  }

  private write(): void {
    this.stopRetry?.();
    this.stopRetry = null;
    if (this.waiting.isEmpty) return;
    const flight: PendingWrite = { batch: this.waiting, isOver: false, failure: null, landing: Promise.resolve() };
    this.waiting = new PendingBatch();
    this.flights.push(flight);
    flight.landing = this.commit(flight.batch).then((failure) => {
      flight.isOver = true;
      flight.failure = failure;
      while (this.flights[0]?.isOver && this.flights[0].failure === null) this.flights.shift();
      if (this.flights.every(({ isOver }) => isOver)) this.writesSettled(this.flights.splice(0));
      else if (this.hasRoom) this.write();
    });
  }

  private writesSettled(flights: readonly PendingWrite[]): void {
    const failed = flights.find(({ failure }) => failure !== null);
    this.onOutcome(failed?.failure ?? null);
    if (!failed) {
      this.write();
      return;
    }
    // Later batches may have succeeded: writing them again changes nothing, and keeps them the
    // later ones.
    for (const { batch } of flights.slice(flights.indexOf(failed) + 1)) failed.batch.append(batch);
    failed.batch.append(this.waiting);
    this.waiting = failed.batch;
    this.stopRetry = this.timer(retryAfterMilliseconds, () => this.write());
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
