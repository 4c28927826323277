// What stays in the browser between visits: one IndexedDB database that all tabs share.
//
// Everything is written in batches, each one transaction. The stored records are complete up to the
// stored `since`; a batch that comes from another starting point never breaks that (see `commit`).

import { isKnown, recordTypes } from './records';
import type { Change, Rejected, WireRecord } from './wire';

/** How far the stored copy reaches. */
export interface Reach {
  /** The stored records are complete up to this sequence number. */
  readonly since: number;
  /** Whether the whole library was here at least once. */
  readonly complete: boolean;
  /** The latest stamp that the server told of. */
  readonly clock: string | null;
  /** When the server last answered, in Unix milliseconds. */
  readonly syncedAt: number;
}

/** Everything that was stored. `reach` is null before the first exchange. */
export interface Stored {
  readonly records: readonly WireRecord[];
  readonly outbox: readonly Change[];
  readonly rejected: readonly Rejected[];
  readonly reach: Reach | null;
}

/** What one transaction writes. */
export interface Batch {
  /** Forget all records first: the server has begun anew. */
  readonly clear: boolean;
  /** The `since` from which the records were asked for. */
  readonly from: number;
  readonly records: ReadonlyMap<string, WireRecord>;
  /** By id; null takes it out. */
  readonly outbox: ReadonlyMap<string, Change | null>;
  /** By id; null takes it out. */
  readonly rejected: ReadonlyMap<string, Rejected | null>;
  readonly reach: Reach | null;
}

/** Keeps batches somewhere. */
export interface Store {
  load(): Promise<Stored>;
  commit(batch: Batch): Promise<void>;
  close(): void;
}

/** Gives the key under which a record is kept. */
export function recordKey(type: string, id: string): string {
  return `${type}/${id}`;
}

const metaStores = ['outbox', 'rejected', 'meta'] as const;
/** One store for each type: a library is read in few large reads, each in the order of ids. */
const stores = [...recordTypes, ...metaStores];
const reachKey = 'reach';

/** Opens the database, making it on the first visit. */
export function openStore(factory: IDBFactory, name: string): Promise<Store> {
  return new Promise((resolve, reject) => {
    const request = factory.open(name, 1);
    request.onupgradeneeded = () => {
      for (const store of stores) request.result.createObjectStore(store);
    };
    request.onsuccess = () => {
      // Another tab with a newer version must not wait for this one.
      request.result.onversionchange = () => request.result.close();
      resolve(new IndexedDBStore(request.result));
    };
    request.onerror = () => reject(request.error ?? new Error('The database cannot be opened.'));
    request.onblocked = () => reject(new Error('Another tab keeps the database closed.'));
  });
}

class IndexedDBStore implements Store {
  constructor(private readonly database: IDBDatabase) {}

  async load(): Promise<Stored> {
    // One transaction: what it reads fits together whatever other tabs write meanwhile.
    const transaction = this.database.transaction(stores, 'readonly');
    const records = recordTypes.map((type) =>
      result<WireRecord[]>(transaction.objectStore(type).getAll()),
    );
    const outbox = result<Change[]>(transaction.objectStore('outbox').getAll());
    const rejected = result<Rejected[]>(transaction.objectStore('rejected').getAll());
    const reach = result<Reach | undefined>(transaction.objectStore('meta').get(reachKey));
    return {
      records: (await Promise.all(records)).flat(),
      outbox: await outbox,
      rejected: await rejected,
      reach: (await reach) ?? null,
    };
  }

  /**
   * Writes a batch, wholly or not at all. When another tab has meanwhile stored another reach, a
   * record is replaced only by a newer one, and the reach moves only where no gap would come to be.
   */
  async commit(batch: Batch): Promise<void> {
    const transaction = this.database.transaction(stores, 'readwrite');
    const done = finished(transaction);
    write(transaction.objectStore('outbox'), batch.outbox);
    write(transaction.objectStore('rejected'), batch.rejected);
    if (batch.reach) writeRecords(transaction, batch, batch.reach);
    await done;
  }

  close(): void {
    this.database.close();
  }
}

function writeRecords(transaction: IDBTransaction, batch: Batch, reach: Reach): void {
  const meta = transaction.objectStore('meta');
  const records = [...batch.records.values()].filter((record) => isKnown(record.type));
  const putAll = () => {
    for (const record of records) transaction.objectStore(record.type).put(record, record.id);
    meta.put(reach, reachKey);
  };
  if (batch.clear) {
    for (const type of recordTypes) transaction.objectStore(type).clear();
    putAll();
    return;
  }
  const before = meta.get(reachKey) as IDBRequest<Reach | undefined>;
  before.onsuccess = () => {
    const stored = before.result?.since ?? 0;
    if (stored === batch.from) {
      putAll();
      return;
    }
    for (const record of records) {
      const store = transaction.objectStore(record.type);
      const old = store.get(record.id) as IDBRequest<WireRecord | undefined>;
      old.onsuccess = () => {
        if (!old.result || old.result.seq < record.seq) store.put(record, record.id);
      };
    }
    if (stored > batch.from && stored < reach.since) meta.put(reach, reachKey);
  };
}

function write<V>(store: IDBObjectStore, entries: ReadonlyMap<string, V | null>): void {
  for (const [key, value] of entries) {
    if (value === null) store.delete(key);
    else store.put(value, key);
  }
}

function result<V>(request: IDBRequest): Promise<V> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as V);
    request.onerror = () => reject(request.error);
  });
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new Error('The browser could not store it.'));
    transaction.oncomplete = () => resolve();
    transaction.onerror = fail;
    transaction.onabort = fail;
  });
}
