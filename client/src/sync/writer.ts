// Writes to the store in the background, in the order of what happened.
//
// An edit is on its way at once, behind what is being written: a page can be killed right after a key.
// All else is gathered in one batch meanwhile, which is written when nothing else is. A batch that fails
// goes back under all that came after it and is tried again, so that the stored copy has no gap: it is
// old, or it is right.

import type { Timer } from './environment';
import { recordKey } from './store';
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
/** With so many under way, edits are gathered until one of them is over. */
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

  /** Puts what came later on top of this. */
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

/** A batch that is being written, or was, beside others that still are. */
interface PendingWrite {
  readonly batch: PendingBatch;
  isOver: boolean;
  failure: unknown;
  landing: Promise<void>;
}

/** Carries additions into a store. */
export class Writer {
  private waiting = new PendingBatch();
  /** In the order in which they began; without those that succeeded before all that is still under way. */
  private flights: PendingWrite[] = [];
  private stopRetry: (() => void) | null = null;

  /** `onOutcome` hears, whenever nothing is under way any more, what went wrong, or null. */
  constructor(
    private readonly store: Store,
    private readonly timer: Timer,
    private readonly onOutcome: (failure: unknown) => void,
  ) {}

  /** Takes an addition; it is on its way when this returns. */
  add(addition: Addition): void {
    this.waiting.add(addition);
    if (this.hasRoom) this.write();
  }

  /** Takes edits back that are still to be written, or to be tried again: another tab has seen to them. */
  forget(ids: readonly string[]): void {
    const batches = [this.waiting, ...this.flights.map(({ batch }) => batch)];
    const drop = ids.filter((id) => batches.some(({ outbox }) => outbox.get(id)));
    if (drop.length > 0) this.add({ drop });
  }

  /** Settles when what was added so far is stored, or could not be. */
  async settled(): Promise<void> {
    while (this.flights.length > 0) await Promise.all(this.flights.map(({ landing }) => landing));
  }

  /** Writes what is waiting, then closes the store. */
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
    // Later ones may have succeeded: written once more they change nothing, and they stay the later ones.
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
