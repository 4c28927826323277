// An in-memory database with the parts of IndexedDB that the library uses. Transactions are atomic,
// and writing ones run sequentially. It can refuse to commit, and it can crash.

import type { WireRecord } from '../../../src/sync/wire';

type Callback = (() => void) | null;

class FakeRequest {
  result: unknown = undefined;
  error: unknown = null;
  onsuccess: Callback = null;
  onerror: Callback = null;
  transaction: { abort(): void } | null = null;
  onupgradeneeded: Callback = null;
  onblocked: Callback = null;
}

type Key = number | string;
type Tables = Map<string, Map<Key, unknown>>;

/** Numbers sort before texts. */
function byKey(a: Key, b: Key): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

class FakeKeyRange {
  constructor(
    private readonly lower: Key | null, private readonly upper: Key | null,
    private readonly isLowerOpen = false, private readonly isUpperOpen = false,
  ) {}

  static lowerBound = (lower: Key, isOpen = false): FakeKeyRange => new FakeKeyRange(lower, null, isOpen);
  static upperBound = (upper: Key, isOpen = false): FakeKeyRange => new FakeKeyRange(null, upper, false, isOpen);
  static bound = (lower: Key, upper: Key, isLowerOpen = false, isUpperOpen = false): FakeKeyRange => (
    new FakeKeyRange(lower, upper, isLowerOpen, isUpperOpen)
  );

  includes = (key: Key): boolean => {
    const above = this.lower === null ? 1 : byKey(key, this.lower);
    const below = this.upper === null ? -1 : byKey(key, this.upper);
    return (this.isLowerOpen ? above > 0 : above >= 0) && (this.isUpperOpen ? below < 0 : below <= 0);
  };
}

Object.assign(globalThis, { IDBKeyRange: FakeKeyRange });

class FakeStore {
  constructor(
    private readonly transaction: FakeTransaction,
    private readonly name: string,
  ) {}

  get(key: string): FakeRequest {
    return this.transaction.ask(() => structuredClone(this.table().get(key)));
  }

  getAll(range?: FakeKeyRange): FakeRequest {
    return this.transaction.ask(() => {
      const values = this.entries(range).map(([, value]) => structuredClone(value));
      this.transaction.disk.read += values.length;
      return values;
    });
  }

  getAllKeys(range?: FakeKeyRange): FakeRequest {
    return this.transaction.ask(() => this.entries(range).map(([key]) => key));
  }

  count(range?: FakeKeyRange): FakeRequest {
    return this.transaction.ask(() => this.entries(range).length);
  }

  /** Without a key, the next number is the key, as in a store with autoIncrement. */
  put(value: unknown, key: Key = this.transaction.nextKey()): FakeRequest {
    const copy: unknown = structuredClone(value);
    this.transaction.hasPut = true;
    return this.transaction.ask(() => this.table().set(key, copy) && key);
  }

  delete(which: Key | FakeKeyRange): FakeRequest {
    return this.transaction.ask(() => {
      const keys = which instanceof FakeKeyRange ? this.entries(which).map(([key]) => key) : [which];
      for (const key of keys) this.table().delete(key);
    });
  }

  clear(): FakeRequest {
    return this.transaction.ask(() => this.table().clear());
  }

  private entries(range?: FakeKeyRange): [Key, unknown][] {
    return [...this.table()].filter(([key]) => range?.includes(key) ?? true).sort(([a], [b]) => byKey(a, b));
  }

  private table(): Map<Key, unknown> {
    const table = this.transaction.tables.get(this.name);
    if (!table) throw new Error(`There is no store "${this.name}".`);
    return table;
  }
}

class FakeTransaction {
  tables: Tables = new Map();
  error: unknown = null;
  hasPut = false;
  oncomplete: Callback = null;
  onerror: Callback = null;
  onabort: Callback = null;
  private readonly queue: (() => void)[] = [];
  private readonly generation: number;

  constructor(
    readonly disk: FakeIndexedDB,
    readonly writes: boolean,
  ) {
    this.generation = disk.generation;
  }

  objectStore(name: string): FakeStore {
    return new FakeStore(this, name);
  }

  nextKey(): number {
    this.disk.lastKey += 1;
    return this.disk.lastKey;
  }

  ask(work: () => unknown): FakeRequest {
    const request = new FakeRequest();
    this.queue.push(() => {
      request.result = work();
      request.onsuccess?.();
    });
    return request;
  }

  commit(): void {
    // `run` does the same; this call only declares that no more requests follow.
  }

  async run(): Promise<void> {
    this.tables = new Map([...this.disk.tables].map(([name, table]) => [name, new Map(table)]));
    for (let work = this.queue.shift(); work; work = this.queue.shift()) {
      await Promise.resolve();
      if (this.generation !== this.disk.generation) return;
      work();
    }
    await this.disk.busy;
    if (this.generation !== this.disk.generation) return;
    // On a full disk a transaction that only deletes succeeds.
    const needsRoom = this.hasPut || this.disk.commitFailure?.name !== 'QuotaExceededError';
    const failure = this.writes && needsRoom ? this.disk.commitFailure : null;
    if (failure) {
      this.error = failure;
      this.onabort?.();
      return;
    }
    if (this.writes) {
      this.disk.tables = this.tables;
      this.disk.commits += 1;
    }
    this.oncomplete?.();
  }
}

class FakeDatabase {
  onversionchange: Callback = null;
  onclose: Callback = null;
  private isClosed = false;

  constructor(private readonly disk: FakeIndexedDB) {
    disk.connections.push(this);
  }

  /** Closes the connection like a system that is short of memory. */
  lose(tells: boolean): void {
    this.isClosed = true;
    if (tells) this.onclose?.();
  }

  createObjectStore(name: string): void {
    this.disk.tables.set(name, new Map());
  }

  transaction(_stores: readonly string[], mode: 'readonly' | 'readwrite'): FakeTransaction {
    if (this.isClosed) throw new DOMException('The database connection is closing.', 'InvalidStateError');
    const transaction = new FakeTransaction(this.disk, mode === 'readwrite');
    this.disk.schedule(transaction);
    return transaction;
  }

  close(): void {
    // There is nothing to close.
  }
}

/** The disk of one browser. */
export class FakeIndexedDB {
  tables: Tables = new Map();
  readonly connections: FakeDatabase[] = [];
  commits = 0;
  lastKey = 0;
  /** The number of values that were read by `getAll`. */
  read = 0;
  /** While set, no writing transaction succeeds. */
  commitFailure: Error | null = null;
  /** Transactions complete only after this promise. */
  busy: Promise<void> | null = null;
  /** While set, the database can't be opened. */
  openFailure: Error | null = null;
  generation = 0;
  /** The transactions that are not complete. */
  active = 0;
  private last: Promise<void> = Promise.resolve();

  get factory(): IDBFactory {
    return { open: () => this.open() } as unknown as IDBFactory;
  }

  /** Drops uncommitted transactions, like a killed browser. */
  crash(): void {
    this.generation += 1;
    this.active = 0;
    this.last = Promise.resolve();
  }

  /** Returns the keys of a store. */
  keys(store: string): Key[] {
    return [...(this.tables.get(store)?.keys() ?? [])].sort(byKey);
  }

  /** Returns the values of a store. */
  values(store: string): unknown[] {
    return [...(this.tables.get(store)?.values() ?? [])];
  }

  /** Returns the records of a type, in their latest versions. */
  records(type: string): WireRecord[] {
    const latest = new Map<string, WireRecord>();
    for (const segment of this.values('records') as string[]) {
      for (const record of JSON.parse(segment) as WireRecord[]) {
        if (record.type !== type) continue;
        if ((latest.get(record.id)?.seq ?? -1) < record.seq) latest.set(record.id, record);
      }
    }
    return [...latest.values()];
  }

  schedule(transaction: FakeTransaction): void {
    const { generation } = this;
    this.active += 1;
    // Requests are made in the same task, and the transaction runs after it.
    this.last = this.last.then(() => transaction.run()).then(() => {
      if (generation === this.generation) this.active -= 1;
    });
  }

  private open(): FakeRequest {
    const request = new FakeRequest();
    queueMicrotask(() => {
      if (this.openFailure) {
        request.error = this.openFailure;
        request.onerror?.();
        return;
      }
      request.result = new FakeDatabase(this);
      let isAborted = false;
      request.transaction = { abort: () => { isAborted = true; } };
      if (this.tables.size === 0) request.onupgradeneeded?.();
      if (isAborted) request.onerror?.();
      else request.onsuccess?.();
    });
    return request;
  }
}
