// What this device remembers of being offline, in an IndexedDB database of its own: which routines
// are kept, what was practised when, which media are here, and files that wait to be uploaded.

import { OpenDatabase } from '../sync/openDatabase';

/** A routine that is to be kept. */
export interface KeptRoutine {
  readonly routine: string;
  /** Unix milliseconds: the first that was chosen is fetched first. */
  readonly since: number;
  /** Whether one has stopped the fetching; what is here stays. */
  readonly isPaused: boolean;
}

/** A part that was practised. */
export interface RecentPart {
  readonly part: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** What is kept under an address. */
export interface KeptFile {
  readonly address: string;
  readonly bytes: number;
}

/** Where an uploaded file goes. */
export type Purpose =
  | { readonly kind: 'track' }
  | { readonly kind: 'part'; readonly routine: string; readonly title: string; readonly position: string | null }
  /** `instead` is the track or video that the part had when it was picked; earlier versions stored none. */
  | { readonly kind: 'replacement'; readonly part: string; readonly instead?: string | null }
  | { readonly kind: 'video'; readonly part: string; readonly instead?: string | null }
  /** A song of the routine in the making. */
  | { readonly kind: 'draft' };

/** A file that waits to be uploaded. */
export interface WaitingFile {
  readonly id: string;
  readonly name: string;
  readonly file: Blob;
  readonly purpose: Purpose;
  /** The tab that uploads it; when it is gone, another one goes on. */
  readonly tab: string;
  readonly at: number;
}

/**
 * What became of a waiting file since it was stored. Apart from it: its bytes are written once, as those that were
 * read of a record can be lost when it is written again (WebKit).
 */
export interface Claim {
  readonly id: string;
  readonly now: Pick<WaitingFile, 'purpose' | 'tab'>;
}

/** A routine in the making. */
export interface StoredDraft {
  readonly tab: string;
  readonly title: string;
  readonly subtitle: string;
  /** In their order: a track of the library, or a waiting file; its place once the routine was made. */
  readonly rows: readonly {
    readonly title: string; readonly track: string | null; readonly file: string | null; readonly position?: string | null;
  }[];
  /** The routine, where it was made already; its songs that wait belong there. */
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

/** What may be nowhere else: it is on the disk when its call settles. The rest the system may still hold. */
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
      // Or it would wait for this page to hear of the write: a page closed meanwhile lost it.
      if (mode === 'readwrite') transaction.commit();
    }));
  }
}
