// The browser's persistent storage: one IndexedDB database that all tabs share.
//
// Everything is written in batches, each in one transaction. The stored records are complete up to
// the stored `since`; a batch with another starting point never breaks that (see `commit`).
//
// Records are not stored one by one, since a browser needs a second to read 100,000 values. Each
// batch is one segment, the text of its records; of several versions of a record the highest `seq`
// counts. Many segments are joined (see `join`).

import { OpenDatabase } from './openDatabase';
import type { Change, Rejected, WireRecord } from './wire';

/** How far the stored copy reaches. */
export interface SyncCursor {
  /** The stored records are complete up to this sequence number. */
  readonly since: number;
  /** Whether the whole library was loaded at least once. */
  readonly complete: boolean;
  /** The latest stamp from the server. */
  readonly clock: string | null;
  /** The id of the library; missing in data of earlier versions. */
  readonly library?: string | null;
  /**
   * The highest `seq` of the deletions that the server had forgotten; missing in data of earlier
   * versions.
   */
  readonly purged?: number;
}

/** All stored data. `reach` is null before the first exchange. */
export interface Stored {
  readonly records: readonly WireRecord[];
  readonly outbox: readonly Change[];
  readonly rejected: readonly Rejected[];
  readonly reach: SyncCursor | null;
}

/** The content of one transaction. */
export interface Batch {
  /** Whether to delete all records first, since the server started again from an empty state. */
  readonly clear: boolean;
  /** The `since` of the request for the records. */
  readonly from: number;
  readonly records: ReadonlyMap<string, WireRecord>;
  /** By id; null removes it. */
  readonly outbox: ReadonlyMap<string, Change | null>;
  /** By id; null removes it. */
  readonly rejected: ReadonlyMap<string, Rejected | null>;
  readonly reach: SyncCursor | null;
}

/** Stores batches. */
export interface Store {
  load(): Promise<Stored>;
  commit(batch: Batch): Promise<void>;
  close(): void;
}

/** Returns the key of a record. */
export function recordKey(type: string, id: string): string {
  return `${type}/${id}`;
}

const stores = ['records', 'outbox', 'rejected', 'meta'] as const;
const reachKey = 'reach';
/** The maximum number of records in a segment, so that no single text grows without bound. */
const segmentLength = 5_000;
/** A larger number of segments is joined when the library is opened. */
const manySegments = 200;

/** Opens the database; creates it on the first visit. */
export async function openStore(factory: IDBFactory, name: string): Promise<Store> {
  return new IndexedDBStore(await OpenDatabase.open(factory, name, (database) => {
    for (const store of stores) database.createObjectStore(store, { autoIncrement: store === 'records' });
  }));
}

class IndexedDBStore implements Store {
  constructor(private readonly database: OpenDatabase) {}

  load(): Promise<Stored> {
    return this.database.use((connection) => this.read(connection));
  }

  private async read(connection: IDBDatabase): Promise<Stored> {
    // One transaction, so that the result is consistent while other tabs write.
    const transaction = connection.transaction(stores, 'readonly');
    const segments = result<string[]>(transaction.objectStore('records').getAll());
    const outbox = result<Change[]>(transaction.objectStore('outbox').getAll());
    const rejected = result<Rejected[]>(transaction.objectStore('rejected').getAll());
    const reach = result<SyncCursor | undefined>(transaction.objectStore('meta').get(reachKey));
    const texts = await segments;
    const stored = {
      records: latest(texts),
      outbox: await outbox,
      rejected: await rejected,
      reach: (await reach) ?? null,
    };
    // Runs in the background, and fails on a full disk: the next start tries again.
    if (texts.length > manySegments) this.join(connection).catch(() => undefined);
    return stored;
  }

  /** Rewrites all segments as few, in one transaction, so that no other tab writes in between. */
  private async join(connection: IDBDatabase): Promise<void> {
    const transaction = connection.transaction(stores, 'readwrite');
    const done = finished(transaction);
    const records = transaction.objectStore('records');
    const all = records.getAll() as IDBRequest<string[]>;
    all.onsuccess = () => {
      records.clear();
      putSegments(records, latest(all.result));
    };
    await done;
  }

  /**
   * Writes a batch atomically. If another tab has meanwhile stored another reach, the reach only
   * moves if that leaves no gap.
   */
  async commit(batch: Batch): Promise<void> {
    try {
      await this.database.use((connection) => this.write(connection, batch));
    } catch (failure) {
      // A later start must not send acknowledged changes again as new ones. Deleting needs no
      // space.
      const isOver = batch.rejected.size === 0 && [...batch.outbox.values()].every((change) => change === null);
      if (isOver && batch.outbox.size > 0) {
        const empty = { clear: false, from: 0, records: new Map(), rejected: new Map(), reach: null };
        await this.database.use((connection) => this.write(connection, { ...empty, outbox: batch.outbox }));
      }
      throw failure;
    }
  }

  private async write(connection: IDBDatabase, batch: Batch): Promise<void> {
    // An edit may exist only here, so it counts as stored only once it is on the disk, not just in
    // the system's cache. The server's records could be fetched again.
    const isOnlyHere = [...batch.outbox.values()].some((change) => change !== null);
    const transaction = connection.transaction(stores, 'readwrite', {
      durability: isOnlyHere ? 'strict' : 'relaxed',
    });
    const done = finished(transaction);
    putEntries(transaction.objectStore('outbox'), batch.outbox);
    putEntries(transaction.objectStore('rejected'), batch.rejected);
    // An explicit commit, since the browser would otherwise wait until this page has processed each
    // write: a page killed meanwhile would lose them.
    if (batch.reach) writeRecords(transaction, batch, batch.reach);
    else transaction.commit();
    await done;
  }

  close(): void {
    this.database.close();
  }
}

function writeRecords(transaction: IDBTransaction, batch: Batch, reach: SyncCursor): void {
  const meta = transaction.objectStore('meta');
  const records = transaction.objectStore('records');
  if (batch.clear) records.clear();
  // Also records of types that only a later version knows: it continues from this reach, and needs
  // them.
  putSegments(records, [...batch.records.values()]);
  if (batch.clear) {
    meta.put(reach, reachKey);
    transaction.commit();
    return;
  }
  const before = meta.get(reachKey) as IDBRequest<SyncCursor | undefined>;
  before.onsuccess = () => {
    const stored = before.result?.since ?? 0;
    const leavesNoGap = stored === batch.from || (stored > batch.from && stored < reach.since);
    if (leavesNoGap) meta.put(reach, reachKey);
    transaction.commit();
  };
}

function putSegments(store: IDBObjectStore, records: readonly WireRecord[]): void {
  for (let start = 0; start < records.length; start += segmentLength) {
    store.put(JSON.stringify(records.slice(start, start + segmentLength)));
  }
}

/** Reads segments: of several versions of a record the one with the highest `seq` counts. */
function latest(segments: readonly string[]): WireRecord[] {
  const records = new Map<string, WireRecord>();
  for (const segment of segments) {
    for (const record of JSON.parse(segment) as WireRecord[]) {
      const key = recordKey(record.type, record.id);
      const known = records.get(key);
      if (!known || known.seq < record.seq) records.set(key, record);
    }
  }
  return [...records.values()];
}

function putEntries<V>(store: IDBObjectStore, entries: ReadonlyMap<string, V | null>): void {
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
