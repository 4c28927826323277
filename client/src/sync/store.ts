// The browser's persistent storage: one IndexedDB database that all tabs share.
//
// Everything is written in batches, each in one transaction. The stored records are complete up to
// the stored `since`; a batch with another starting point never breaks that (see `commit`).
//
// Records are not stored one by one, since a browser needs a second to read 100,000 values. Each
// batch is one segment, the text of its records, and records of the log are a segment of their own (see segments.ts).
// Many segments are joined.

import { OpenDatabase } from './openDatabase';
import { isOfLog } from './records';
import {
  joinLog, joinStart, keysAfter, keysAtStart, keysOfLog, keysOfLogBatches, latest, manySegments, putRecords,
} from './segments';
import type { Change, Rejected, Space, WireRecord } from './wire';

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
  /** Who this copy belongs to; missing in data of earlier versions. */
  readonly person?: string | null;
  /** The groups of that person; missing in data of earlier versions. */
  readonly spaces?: readonly Space[];
  /** Whether anybody beside the owner uses the server; missing in data of earlier versions. */
  readonly people?: boolean;
}

/** All stored data but the log. `reach` is null before the first exchange. */
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
  /** Reads the stored records of the log; together with those of `load` they are complete. */
  loadLog(): Promise<readonly WireRecord[]>;
  commit(batch: Batch): Promise<void>;
  close(): void;
}

const stores = ['records', 'outbox', 'rejected', 'meta'] as const;
const reachKey = 'reach';

/** Opens the database; creates it on the first visit. */
export async function openStore(factory: IDBFactory, name: string): Promise<Store> {
  return new IndexedDBStore(await OpenDatabase.open(factory, name, (database) => {
    for (const store of stores) database.createObjectStore(store, { autoIncrement: store === 'records' });
  }));
}

class IndexedDBStore implements Store {
  /** The last segment without unread records of the log. */
  private lastRead = 0;

  constructor(private readonly database: OpenDatabase) {}

  load(): Promise<Stored> {
    return this.database.use((connection) => this.read(connection));
  }

  loadLog(): Promise<readonly WireRecord[]> {
    return this.database.use((connection) => this.readLog(connection));
  }

  private async read(connection: IDBDatabase): Promise<Stored> {
    // One transaction, so that the result is consistent while other tabs write.
    const transaction = connection.transaction(stores, 'readonly');
    const segments = transaction.objectStore('records');
    const asked = {
      texts: result<string[]>(segments.getAll(keysAtStart())),
      keys: result<number[]>(segments.getAllKeys(keysAtStart())),
      logBatches: result<number>(segments.count(keysOfLogBatches())),
      outbox: result<Change[]>(transaction.objectStore('outbox').getAll()),
      rejected: result<Rejected[]>(transaction.objectStore('rejected').getAll()),
      reach: result<SyncCursor | undefined>(transaction.objectStore('meta').get(reachKey)),
    };
    const texts = await asked.texts;
    const records = latest(texts);
    const stored = {
      records, outbox: await asked.outbox, rejected: await asked.rejected, reach: (await asked.reach) ?? null,
    };
    this.lastRead = (await asked.keys).pop() ?? 0;
    // In the background. It fails on a full disk: the next start tries again. An earlier version of this program, in
    // which the log was no separate part, has left its records among the others.
    if (texts.length > manySegments || records.some(isOfLog)) this.join(connection).catch(() => undefined);
    if (await asked.logBatches > manySegments) this.joinLog(connection, keysOfLogBatches()).catch(() => undefined);
    return stored;
  }

  private async readLog(connection: IDBDatabase): Promise<readonly WireRecord[]> {
    const segments = connection.transaction(stores, 'readonly').objectStore('records');
    // An open tab of an earlier version writes records of the log among the others.
    const later = result<string[]>(segments.getAll(keysAfter(this.lastRead)));
    const texts = await result<string[]>(segments.getAll(keysOfLog()));
    if (texts.length > manySegments) this.joinLog(connection, keysOfLog()).catch(() => undefined);
    return latest([...texts, ...await later]).filter(isOfLog);
  }

  /**
   * Rewrites the segments that are read at the start as few, in one transaction, so that no other tab writes in
   * between.
   */
  private async join(connection: IDBDatabase): Promise<void> {
    const transaction = connection.transaction(stores, 'readwrite');
    const done = finished(transaction);
    const segments = transaction.objectStore('records');
    let last = 0;
    joinStart(segments, (key) => {
      last = key;
    });
    await done;
    this.lastRead = Math.max(this.lastRead, last);
  }

  private async joinLog(connection: IDBDatabase, keys: IDBKeyRange): Promise<void> {
    const transaction = connection.transaction(stores, 'readwrite');
    const done = finished(transaction);
    joinLog(transaction.objectStore('records'), keys);
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
  putRecords(records, [...batch.records.values()]);
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
