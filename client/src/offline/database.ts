// This device's offline data, in a separate IndexedDB database: the routines to keep, the recently
// practised parts, the list of stored media, and files that wait to be uploaded.

import { OpenDatabase } from '../sync/openDatabase';
import type { Purpose } from '../uploads/queue';

/** A routine to be kept on this device. */
export interface KeptRoutine {
  readonly routine: string;
  /** Unix milliseconds: the first chosen is downloaded first. */
  readonly since: number;
  /** Whether the user has paused the download; stored files stay. */
  readonly isPaused: boolean;
}

/** A part that was practised. */
export interface RecentPart {
  readonly part: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** A stored file, by address. */
export interface KeptFile {
  readonly address: string;
  readonly bytes: number;
}

/** A file that waits to be uploaded. */
export interface WaitingFile {
  readonly id: string;
  readonly name: string;
  readonly file: Blob;
  readonly purpose: Purpose;
  /** The tab that uploads it; when it is closed, another one continues. */
  readonly tab: string;
  readonly at: number;
}

/**
 * The state of a waiting file since it was stored. Stored separately: its bytes are written once,
 * since WebKit can lose the bytes of a record that is read and written again.
 */
export interface Claim {
  readonly id: string;
  readonly now: Pick<WaitingFile, 'purpose' | 'tab'>;
}

/** The draft of a new routine. */
export interface StoredDraft {
  readonly tab: string;
  readonly title: string;
  readonly subtitle: string;
  /** The group that gets the routine. */
  readonly space?: string;
  /**
   * In order: a track of the library, or a waiting file; its position once the routine was created.
   */
  readonly rows: readonly {
    readonly title: string; readonly track: string | null; readonly file: string | null; readonly position?: string | null;
  }[];
  /** The routine, if it was already created; its waiting songs belong to it. */
  readonly routine?: string;
}

interface Stores {
  kept: KeptRoutine;
  recent: RecentPart;
  files: KeptFile;
  waiting: WaitingFile | Claim;
  drafts: StoredDraft;
}

const keyPaths: { readonly [S in keyof Stores]: keyof Stores[S] & string } = {
  kept: 'routine', recent: 'part', files: 'address', waiting: 'id', drafts: 'tab',
};

/**
 * Stores whose data may exist nowhere else: they are on the disk when a call settles. The others
 * may still be in the system's cache.
 */
const onlyHere: readonly (keyof Stores)[] = ['waiting', 'drafts'];

/** The database. Each call is one transaction; it settles once that is committed. */
export class OfflineDatabase {
  private constructor(private readonly database: OpenDatabase) {}

  static async open(name = 'segmance-offline'): Promise<OfflineDatabase> {
    return new OfflineDatabase(await OpenDatabase.open(indexedDB, name, (database) => {
      for (const [store, keyPath] of Object.entries(keyPaths)) database.createObjectStore(store, { keyPath });
    }));
  }

  all<S extends keyof Stores>(store: S): Promise<Stores[S][]> {
    return this.ask<Stores[S][]>(store, 'readonly', (objects) => objects.getAll());
  }

  async put<S extends keyof Stores>(store: S, value: Stores[S]): Promise<void> {
    await this.ask(store, 'readwrite', (objects) => objects.put(value));
  }

  async delete(store: keyof Stores, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.ask(store, 'readwrite', (objects) => keys.map((key) => objects.delete(key)).pop());
  }

  /** Deletes everything. */
  async clear(): Promise<void> {
    for (const store of Object.keys(keyPaths) as (keyof Stores)[]) {
      await this.ask(store, 'readwrite', (objects) => objects.clear());
    }
  }

  private ask<R>(
    store: keyof Stores, mode: IDBTransactionMode, work: (objects: IDBObjectStore) => IDBRequest | undefined,
  ): Promise<R> {
    return this.database.use((connection) => new Promise((resolve, reject) => {
      const durability = onlyHere.includes(store) ? 'strict' : 'relaxed';
      const transaction = connection.transaction(store, mode, { durability });
      const request = work(transaction.objectStore(store));
      const fail = (): void => reject(transaction.error ?? new Error('The browser could not store it.'));
      transaction.oncomplete = () => resolve(request?.result as R);
      transaction.onerror = fail;
      transaction.onabort = fail;
      // An explicit commit, since the browser would otherwise wait until this page has processed
      // the write: a page closed meanwhile would lose it.
      if (mode === 'readwrite') transaction.commit();
    }));
  }
}
