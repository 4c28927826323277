// The local view: the server's records with the unacknowledged changes on top.
//
// Reading returns the same object or array until its content has changed. An edit updates the
// record, the lists that contain it and, if its visibility changes, those of its children.

import { orderedByCounts } from './moveOrder';
import { byPosition } from './position';
import { isKnown, parents, requiredFields } from './records';
import type { RecordOf, RecordType } from './records';
import { stampMilliseconds } from './stamp';
import type { Change, WireRecord } from './wire';

/** The lists of children, each grouped by a field of a type. */
export type ListName = 'parts' | 'moves' | 'spots' | 'clips' | 'gridCorrections' | 'plans' | 'comments' | 'partsUsing' | 'partsShowing';

interface List {
  readonly type: RecordType;
  readonly field: string;
  readonly order: (a: WireRecord, b: WireRecord) => number;
  /** Changes the order once more. */
  readonly arranged?: (records: WireRecord[]) => WireRecord[];
}

const lists: { readonly [L in ListName]: List } = {
  parts: { type: 'part', field: 'routine', order: byPlace },
  moves: { type: 'move', field: 'part', order: byPlace, arranged: orderedByCounts },
  spots: { type: 'spot', field: 'part', order: byStart },
  clips: { type: 'clip', field: 'track', order: byPlace },
  gridCorrections: { type: 'gridCorrection', field: 'track', order: byOrder },
  plans: { type: 'plan', field: 'routine', order: byId },
  comments: { type: 'comment', field: 'routine', order: byAge },
  partsUsing: { type: 'part', field: 'track', order: byId },
  partsShowing: { type: 'part', field: 'video', order: byId },
};
const listNames = Object.keys(lists) as ListName[];

/** Returns the lists whose records are hidden together with a record of a type. */
function held(type: RecordType): readonly ListName[] {
  return listNames.filter((name) => {
    const parent = parents[lists[name].type];
    return parent?.type === type && parent.field === lists[name].field;
  });
}

const nothing: readonly never[] = Object.freeze([]);

/** All records of one type. */
class Table {
  readonly server = new Map<string, WireRecord>();
  /** The visible values: the server's own object if nothing is pending. */
  readonly local = new Map<string, WireRecord>();
  /** Pending changes by record, in the order of their stamps. */
  readonly pending = new Map<string, Change[]>();
  all: WireRecord[] | null = null;
  /** Records that may differ from those in `all`. */
  readonly stale = new Set<string>();
}

/** One kind of list. */
class Index {
  readonly members = new Map<string, Set<string>>();
  readonly sorted = new Map<string, readonly WireRecord[]>();
}

/** Holds records and pending changes, and returns what is visible. */
export class LocalView {
  private readonly tables = new Map<RecordType, Table>();
  private readonly indexes = new Map<ListName, Index>(listNames.map((name) => [name, new Index()]));

  /** Returns a record, visible or not. */
  raw(type: RecordType, id: string): WireRecord | undefined {
    return this.table(type).local.get(id);
  }

  /** Returns a visible record. */
  get<T extends RecordType>(type: T, id: string): RecordOf<T> | undefined {
    const record = this.raw(type, id);
    return record && this.isShown(record) ? shaped<T>(record) : undefined;
  }

  /** Whether a record, or its parent, is known to be deleted. */
  isDeleted(type: RecordType, id: string): boolean {
    const record = this.raw(type, id);
    if (!record) return false;
    const parent = parents[type];
    return typeof record.deletedAt === 'number'
      || (parent !== undefined && this.isDeleted(parent.type, record[parent.field] as string));
  }

  /** Returns the visible records of a type by id. */
  all<T extends RecordType>(type: T): readonly RecordOf<T>[] {
    const table = this.table(type);
    if (!table.all) {
      table.all = [...table.local.values()].filter((record) => this.isShown(record)).sort(byId);
    } else if (table.stale.size > 0) {
      table.all = this.refreshed(table, table.all);
    }
    table.stale.clear();
    return table.all as unknown as readonly RecordOf<T>[];
  }

  /**
   * Returns the visible records with a parent; by position, `moves` with counts by these, `spots` by start, `gridCorrections` by
   * their order, `comments` by their age, `plans`, `partsUsing` and `partsShowing` by id.
   */
  list<T extends RecordType>(name: ListName, parent: string): readonly RecordOf<T>[] {
    const index = this.index(name);
    const ready = index.sorted.get(parent);
    if (ready) return ready as unknown as readonly RecordOf<T>[];
    let made: WireRecord[] = [];
    for (const id of index.members.get(parent) ?? nothing) {
      const record = this.raw(lists[name].type, id);
      if (record && this.isShown(record)) made.push(record);
    }
    if (made.length === 0) return nothing;
    made.sort(lists[name].order);
    made = lists[name].arranged?.(made) ?? made;
    index.sorted.set(parent, made);
    return made as unknown as readonly RecordOf<T>[];
  }

  /** Takes a record from the server unless a newer one is here; returns whether it did. */
  takeRecord(record: WireRecord): boolean {
    if (!isKnown(record.type)) return false;
    const table = this.table(record.type);
    const old = table.server.get(record.id);
    if (old && old.seq >= record.seq) return false;
    table.server.set(record.id, record);
    this.overlay(record.type, record.id);
    return true;
  }

  /** Replaces all records by the server's; pending changes stay on top. */
  replaceRecords(records: readonly WireRecord[]): void {
    for (const [type, table] of this.tables) {
      const gone = new Set(table.server.keys());
      for (const record of records) if (record.type === type) gone.delete(record.id);
      table.server.clear();
      for (const id of gone) this.overlay(type, id);
    }
    for (const record of records) this.takeRecord(record);
  }

  /** Returns the pending changes of a change's record, including that change. */
  pending(change: Change): readonly Change[] {
    return this.table(change.type).pending.get(change.record) ?? nothing;
  }

  /** Adds a pending change on top. */
  addPending(change: Change): void {
    const { pending } = this.table(change.type);
    const changes = pending.get(change.record);
    if (!changes) pending.set(change.record, [change]);
    else if (!changes.some((other) => other.id === change.id)) {
      changes.push(change);
      changes.sort(byStamp);
    } else return;
    this.overlay(change.type, change.record);
  }

  /** Removes a change that the server has applied or refused. */
  dropPending(change: Change): void {
    const { pending } = this.table(change.type);
    const kept = (pending.get(change.record) ?? []).filter((other) => other.id !== change.id);
    if (kept.length > 0) pending.set(change.record, kept);
    else pending.delete(change.record);
    this.overlay(change.type, change.record);
  }

  private table(type: RecordType): Table {
    let table = this.tables.get(type);
    if (!table) this.tables.set(type, (table = new Table()));
    return table;
  }

  private index(name: ListName): Index {
    const index = this.indexes.get(name);
    if (!index) throw new RangeError(`There is no list "${name}".`);
    return index;
  }

  /** Computes the local record from the server's and the pending changes. */
  private overlay(type: RecordType, id: string): void {
    const table = this.table(type);
    const base = table.server.get(id);
    const changes = table.pending.get(id);
    const old = table.local.get(id);
    if (!changes) return this.replace(table, old, base);
    const first = changes[0];
    const made: { [field: string]: unknown } = base
      ? { ...base }
      : {
        type, id, seq: 0, createdAt: first ? stampMilliseconds(first.at) : 0,
        ...(first?.space !== undefined && { space: first.space }),
      };
    for (const change of changes) Object.assign(made, change.fields);
    const record = made as WireRecord;
    // An acknowledgement returns what is already visible: keep the object, so that nothing is
    // rendered again.
    this.replace(table, old, old && isSame(old, record) ? old : record);
  }

  private replace(table: Table, old: WireRecord | undefined, given: WireRecord | undefined): void {
    const record = old && given && isSame(old, given) ? old : given;
    if (record === old) return;
    const type = (record ?? old)?.type as RecordType;
    const id = (record ?? old)?.id ?? '';
    const before = old ? this.isShown(old) : false;
    if (record) table.local.set(id, record);
    else table.local.delete(id);
    this.reindex(type, id, old, record);
    const after = record ? this.isShown(record) : false;
    if (!before && !after) return;
    this.invalidate(table, old, record);
    if (before !== after) this.invalidateHeld(type, id);
  }

  private reindex(
    type: RecordType, id: string, old: WireRecord | undefined, record: WireRecord | undefined,
  ): void {
    for (const name of listNames) {
      if (lists[name].type !== type) continue;
      const from = old?.[lists[name].field];
      const to = record?.[lists[name].field];
      if (from === to) continue;
      const { members } = this.index(name);
      if (typeof from === 'string') {
        const left = members.get(from);
        left?.delete(id);
        if (left?.size === 0) members.delete(from);
      }
      if (typeof to === 'string') {
        const joined = members.get(to);
        if (joined) joined.add(id);
        else members.set(to, new Set([id]));
      }
    }
  }

  private invalidate(table: Table, ...versions: readonly (WireRecord | undefined)[]): void {
    for (const version of versions) {
      if (!version) continue;
      if (table.all) table.stale.add(version.id);
      for (const name of listNames) {
        const parent = lists[name].type === version.type ? version[lists[name].field] : null;
        if (typeof parent === 'string') this.index(name).sorted.delete(parent);
      }
    }
  }

  private invalidateHeld(type: RecordType, id: string): void {
    for (const name of held(type)) {
      const childType = lists[name].type;
      const children = this.table(childType);
      for (const child of this.index(name).members.get(id) ?? nothing) {
        const record = children.local.get(child);
        if (!record || !isWhole(record)) continue;
        this.invalidate(children, record);
        this.invalidateHeld(childType, child);
      }
    }
  }

  private isShown(record: WireRecord): boolean {
    if (!isWhole(record)) return false;
    const parent = parents[record.type as RecordType];
    if (!parent) return true;
    const above = this.raw(parent.type, record[parent.field] as string);
    return above !== undefined && this.isShown(above);
  }

  private refreshed(table: Table, all: WireRecord[]): WireRecord[] {
    const made = all.filter((record) => !table.stale.has(record.id));
    let inOrder = true;
    for (const id of table.stale) {
      const record = table.local.get(id);
      if (!record || !this.isShown(record)) continue;
      const last = made[made.length - 1];
      inOrder = inOrder && (!last || last.id < id);
      made.push(record);
    }
    // Nearly sorted, so that sorting takes about linear time.
    return inOrder ? made : made.sort(byId);
  }
}

/** Whether a record is not deleted and has all required fields. */
function isWhole(record: WireRecord): boolean {
  if (typeof record.deletedAt === 'number') return false;
  return requiredFields[record.type as RecordType].every(
    (field) => record[field] !== undefined && record[field] !== null,
  );
}

/** Whether two versions are equal for readers; the sequence number is ignored. */
function isSame(a: WireRecord, b: WireRecord): boolean {
  for (const field in a) if (field !== 'seq' && (a[field] ?? null) !== (b[field] ?? null)) return false;
  for (const field in b) if (field !== 'seq' && (a[field] ?? null) !== (b[field] ?? null)) return false;
  return true;
}

function byId(a: WireRecord, b: WireRecord): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function byStamp(a: Change, b: Change): number {
  return a.at < b.at ? -1 : a.at > b.at ? 1 : 0;
}

function byPlace(a: WireRecord, b: WireRecord): number {
  return byPosition(placed(a), placed(b));
}

function placed(record: WireRecord): { position: string; id: string } {
  return { position: String(record['position']), id: record.id };
}

function byStart(a: WireRecord, b: WireRecord): number {
  return Number(a['startFrame']) - Number(b['startFrame']) || byId(a, b);
}

function byAge(a: WireRecord, b: WireRecord): number {
  return a.createdAt - b.createdAt || byId(a, b);
}

function byOrder(a: WireRecord, b: WireRecord): number {
  return Number(a['order']) - Number(b['order']) || byId(a, b);
}

/** A visible record has all required fields, so the wire's record is the interface's type. */
function shaped<T extends RecordType>(record: WireRecord): RecordOf<T> {
  return record as unknown as RecordOf<T>;
}
