// The client's own copy of the library: every screen reads from it, and every edit is applied to it
// first.
//
// An edit shows at once, then it is written to the browser's database, then sent. The server's
// answer is applied below the edits that are not yet acknowledged. See docs/API.md, "Sync".

import { apiAddress } from '../apiAddress';
import { browserEnvironment } from './environment';
import type { Environment } from './environment';
import { ServerEvents } from './events';
import type { ServerMessageType } from './events';
import { IdMaker } from './ids';
import { Listeners } from './listeners';
import { positionsBetween } from './position';
import { validateFields, validateNew } from './validation';
import type {
  Clip, Comment, CreatableType, EditOf, FieldsOf, GridCorrection, Move, OrderedType, Part, Plan, RecordOf, RecordType, Spot,
} from './records';
import { Replica, serverOwner } from './replica';
import { readSetting } from './settings';
import type { SettingName, Settings } from './settings';
import { newDevice, StampClock } from './stamp';
import { openStore } from './store';
import type { Store, Stored } from './store';
import { Tabs } from './tabs';
import type { Change, FieldValues, Job, LibraryStatus, Space } from './wire';

export type { Change, Job, LibraryStatus, Rejected, Role, Space } from './wire';

/** Replaces parts of the environment, for tests. */
export interface LibraryOptions extends Partial<Environment> {
  /** The prefix of "/api/…"; empty for the page's own server. */
  readonly server?: string;
  readonly databaseName?: string;
  /** Whether edits stay in this browser, and are never sent. */
  readonly keepsEdits?: boolean;
}

const openLimitMilliseconds = 5_000;
/** A large library on a slow phone takes some seconds. */
const readLimitMilliseconds = 20_000;

/** A local copy of the library that is kept in sync with the server. */
export class LocalLibrary {
  private readonly jobs = new Listeners<Job>();
  private readonly told = new Listeners<{ readonly type: ServerMessageType; readonly value: unknown }>();
  private readonly events: ServerEvents;
  private readonly stops: (() => void)[];
  /** Changes made in the open transaction. */
  private made: Change[] = [];
  private depth = 0;

  private constructor(
    private readonly environment: Environment,
    private readonly replica: Replica,
    private readonly clock: StampClock,
    private readonly ids: IdMaker,
    server: string,
  ) {
    this.events = new ServerEvents(environment, server + apiAddress.events, {
      changed: (seq) => replica.exchange.serverHas(seq),
      job: (job) => this.jobs.tell(job),
      serverMessage: (type, value) => {
        if (type === 'people') void this.refresh();
        this.told.tell({ type, value });
      },
      cut: () => replica.exchange.checkConnection(),
    });
    const { page } = environment;
    const wake = () => this.reconnect();
    this.stops = [
      page.onOnline(wake), page.onOffline(() => replica.exchange.checkConnection()), page.onVisible(wake),
      page.onHidden(() => {
        replica.exchange.flush();
        this.events.rest();
      }),
    ];
    void this.refresh();
  }

  /** Opens the copy in this browser and starts to exchange with the server. */
  static async open(options: LibraryOptions = {}): Promise<LocalLibrary> {
    const { server = '', databaseName = 'segmance', keepsEdits = false, ...replaced } = options;
    const environment = browserEnvironment(replaced);
    const clock = new StampClock(newDevice(environment.random), environment.clock);
    const ids = new IdMaker(environment.clock, environment.random);
    // Opened before reading, so that no message of another tab is missed.
    const tabs = new Tabs(environment, databaseName);
    const { store, stored, failure } = await openStored(environment, databaseName);
    const replica = new Replica(environment, server + apiAddress.sync, clock, ids, tabs, store, stored, keepsEdits);
    if (failure !== null) replica.storageOutcome(failure);
    return new LocalLibrary(environment, replica, clock, ids, server);
  }

  /** Counts notifications; changes whenever any readable value changes. */
  get version(): number {
    return this.replica.version;
  }

  get status(): LibraryStatus {
    return this.replica.status;
  }

  /** Returns a visible record, including pending edits. */
  get<T extends RecordType>(type: T, id: string): RecordOf<T> | undefined {
    return this.replica.view.get(type, id);
  }

  /**
   * Whether a record, or its parent, is known to be deleted; a record that is merely missing is
   * not.
   */
  isDeleted(type: RecordType, id: string): boolean {
    return this.replica.view.isDeleted(type, id);
  }

  /** Returns the title that a record has, or had before it was deleted; null if it is not known any more. */
  lastTitle(type: 'routine' | 'part' | 'move', id: string): string | null {
    const title = this.replica.view.raw(type, id)?.['title'];
    return typeof title === 'string' ? title : null;
  }

  /**
   * Reads the log, the records of the types `practiceEntry` and `runThrough`, once for all callers. Until then only
   * those are here that were made or received since the start.
   */
  openLog(): Promise<void> {
    return this.replica.openLog();
  }

  /** Whether the log was read. */
  get isLogOpen(): boolean {
    return this.replica.isLogOpen;
  }

  /**
   * Returns the visible records of a type by id; the same array until one of them changes. Those of the log are
   * complete once it is open.
   */
  all<T extends RecordType>(type: T): readonly RecordOf<T>[] {
    return this.replica.view.all(type);
  }

  /** Returns the visible parts of a routine in order; the same array until it changes. */
  parts(routineId: string): readonly Part[] {
    return this.replica.view.list<'part'>('parts', routineId);
  }

  /** Returns the visible moves of a part in order; the same array until it changes. */
  moves(partId: string): readonly Move[] {
    return this.replica.view.list<'move'>('moves', partId);
  }

  /** Returns the visible spots of a part by their start; the same array until it changes. */
  spots(partId: string): readonly Spot[] {
    return this.replica.view.list<'spot'>('spots', partId);
  }

  /** Returns the visible clips of a track in order; the same array until it changes. */
  clips(trackId: string): readonly Clip[] {
    return this.replica.view.list<'clip'>('clips', trackId);
  }

  /**
   * Returns the visible corrections of a track's counts in the order in which they are applied; the same array until
   * it changes.
   */
  gridCorrections(trackId: string): readonly GridCorrection[] {
    return this.replica.view.list<'gridCorrection'>('gridCorrections', trackId);
  }

  /** Returns the visible plans of a routine, the first one first; the same array until it changes. */
  plans(routineId: string): readonly Plan[] {
    return this.replica.view.list<'plan'>('plans', routineId);
  }

  /** Returns the visible comments on a routine, the oldest first; the same array until it changes. */
  comments(routineId: string): readonly Comment[] {
    return this.replica.view.list<'comment'>('comments', routineId);
  }

  /** Returns the visible parts of any routine that play a track. */
  partsUsing(trackId: string): readonly Part[] {
    return this.replica.view.list<'part'>('partsUsing', trackId);
  }

  /** Returns the visible parts of any routine that a video is linked to. */
  partsShowing(videoId: string): readonly Part[] {
    return this.replica.view.list<'part'>('partsShowing', videoId);
  }

  /** Returns the value of a setting; its default if it was never set or has another type. */
  setting<N extends SettingName>(name: N): Settings[N] {
    return readSetting[name](this.get('setting', name)?.value);
  }

  /** Sets a setting. */
  set<N extends SettingName>(name: N, value: Settings[N]): void {
    this.edit('setting', name, { value });
  }

  /**
   * Creates a record and returns its id. From a complete record, for a copy, it only takes the
   * fields. `space` is the group that gets a routine or a move type; all others are where their parent is. Throws a
   * RangeError with the sentence of `validateNew`.
   */
  create<T extends CreatableType>(type: T, fields: FieldsOf<T>, space?: string): string {
    const given = defined(fields, common);
    refuse(validateNew(type, given));
    const id = this.ids.next();
    this.transact(() => this.change(type, id, given, space));
    return id;
  }

  /** The groups of this device's person. */
  get spaces(): readonly Space[] {
    return this.replica.spaces;
  }

  /** Whether this device's person runs the server; true while that is unknown, as in a library of one person. */
  get isOwners(): boolean {
    return (this.replica.person ?? serverOwner) === serverOwner;
  }

  /**
   * Whether this device's person may edit what belongs to a group; without one it is the person's own. A copy whose edits
   * stay in it may be edited as a whole.
   */
  mayEditIn(space: string | null | undefined): boolean {
    if (space == null || this.replica.keepsEdits) return true;
    const role = this.spaces.find(({ id }) => id === space)?.role;
    return role === 'owner' || role === 'teacher';
  }

  /**
   * Sets fields; null clears one. Unchanged fields are skipped. Throws a RangeError with the
   * sentence of `validateFields`.
   */
  edit<T extends RecordType>(type: T, id: string, fields: EditOf<T>): void {
    const given = defined(fields);
    refuse(validateFields(type, given));
    this.transact(() => this.change(type, id, given));
  }

  /**
   * Deletes a record and returns the function that restores it. Its children are deleted and
   * restored with it.
   */
  remove(type: RecordType, id: string): () => void {
    if (!this.get(type, id)) return () => undefined;
    const deletedAt = Math.floor(this.environment.clock());
    return this.bringBack([{ type, record: id, fields: { deletedAt } }]);
  }

  /**
   * Sets fields of records, of deleted ones too, and `deletedAt` as well. Returns the function that sets them as they
   * were. Throws a RangeError with the sentence of `validateFields`.
   */
  bringBack(
    edits: readonly { readonly type: RecordType; readonly record: string; readonly fields: FieldValues }[],
  ): () => void {
    const before = edits.map(({ type, record, fields: { deletedAt, ...fields } }) => {
      refuse(validateFields(type, fields));
      const old = this.replica.view.raw(type, record);
      const names = Object.keys(deletedAt === undefined ? fields : { ...fields, deletedAt });
      return { type, record, fields: Object.fromEntries(names.map((name) => [name, old?.[name] ?? null])) };
    });
    const set = (all: typeof edits) => this.transact(() => all.forEach(({ type, record, fields }) => this.change(type, record, fields)));
    set(edits);
    return () => set(before);
  }

  /** Moves a record to an index (0 = first) among its visible siblings. */
  reorder(type: OrderedType, id: string, toIndex: number): void {
    const siblings = this.siblings(type, id);
    if (!siblings || siblings[toIndex]?.id === id) return;
    const others = siblings.filter((sibling) => sibling.id !== id);
    const index = Math.max(0, Math.min(toIndex, others.length));
    const before = others[index - 1]?.position ?? null;
    // Two devices may have chosen the same position: siblings without a gap are moved as well.
    let end = index;
    while (before !== null && (others[end]?.position ?? '~') <= before) end += 1;
    const moved = [id, ...others.slice(index, end).map((sibling) => sibling.id)];
    const positions = positionsBetween(before, others[end]?.position ?? null, moved.length);
    this.transact(() => {
      moved.forEach((each, rank) => this.change(type, each, { position: positions[rank] }));
    });
  }

  /**
   * Makes several edits with one notification and one exchange; if it throws, none of them is made.
   */
  transact(edits: () => void): void {
    const start = this.made.length;
    this.depth += 1;
    try {
      edits();
    } catch (failure) {
      for (const change of this.made.splice(start).reverse()) this.replica.view.dropPending(change);
      throw failure;
    } finally {
      this.depth -= 1;
      if (this.depth === 0 && this.made.length > 0) this.replica.edited(this.made.splice(0));
    }
  }

  /** Calls back after each change of readable values; returns a function that stops it. */
  readonly subscribe = (listener: () => void): (() => void) => this.replica.listeners.add(listener);

  /** Calls back with each report of a job; returns a function that stops it. */
  onJob(listener: (job: Job) => void): () => void {
    return this.jobs.add(listener);
  }

  /**
   * Calls back with each event that the server forwards between pages; returns a function that
   * stops it.
   */
  onServerMessage(listener: (told: { readonly type: ServerMessageType; readonly value: unknown }) => void): () => void {
    return this.told.add(listener);
  }

  /**
   * Lets others find this page as a player: the query of its event connection, or an empty text. A
   * hidden page keeps the connection only while it is busy.
   */
  appear(query: string, isBusy?: () => boolean): void {
    this.events.appear(query, isBusy);
  }

  /** Makes an id for a record. */
  newId(): string {
    return this.ids.next();
  }

  /** Reconnects and exchanges, for instance after this device was paired. */
  reconnect(): void {
    this.events.wake();
    void this.refresh();
  }

  /** Accepts the server's library in place of the one here, if `status.another` is set. */
  takeAnother(): void {
    this.replica.exchange.takeAnother();
  }

  /** Removes a refused change that the user has seen. */
  dismissRejected(id: string): void {
    this.replica.dismissRejected(id);
  }

  /**
   * Settles once all edits are stored in this browser or failed to be; resolves to whether they are
   * safe.
   */
  stored(): Promise<boolean> {
    return this.replica.stored();
  }

  /** Exchanges with the server now; resolves to whether that attempt succeeded. */
  refresh(): Promise<boolean> {
    return this.replica.exchange.syncNow();
  }

  /** Stops everything; unsynced changes stay in this browser. Settles once they are written. */
  async close(): Promise<void> {
    for (const stop of this.stops) stop();
    this.events.close();
    await this.replica.close();
  }

  private change(type: RecordType, id: string, fields: FieldValues, given?: string): void {
    const old = this.replica.view.raw(type, id);
    const changed = Object.entries(fields).filter(([name, value]) => (old?.[name] ?? null) !== value);
    if (changed.length === 0) return;
    // Before the server has the record, each of its changes may come to be the first.
    const space = given ?? (old?.seq === 0 && typeof old['space'] === 'string' ? old['space'] : undefined);
    const change: Change = {
      id: this.ids.next(), type, record: id, fields: Object.fromEntries(changed), at: this.clock.next(),
      ...(space !== undefined && { space }),
    };
    this.replica.view.addPending(change);
    this.made.push(change);
  }

  private siblings(type: OrderedType, id: string): readonly (Part | Move | Clip)[] | null {
    if (type === 'part') {
      const part = this.get('part', id);
      return part ? this.parts(part.routine) : null;
    }
    if (type === 'move') {
      const move = this.get('move', id);
      return move ? this.moves(move.part) : null;
    }
    const clip = this.get('clip', id);
    return clip ? this.clips(clip.track) : null;
  }
}

/** Opens and reads the browser's database; without a database the library is kept in memory. */
async function openStored(
  environment: Environment, name: string,
): Promise<{ store: Store | null; stored: Stored | null; failure: unknown }> {
  const { indexedDB } = environment;
  let store: Store | null = null;
  try {
    if (!indexedDB) throw new Error('This browser has no database.');
    store = await withLimit(environment, openLimitMilliseconds, openStore(indexedDB, name));
    return { store, stored: await withLimit(environment, readLimitMilliseconds, store.load()), failure: null };
  } catch (failure) {
    store?.close();
    return { store: null, stored: null, failure };
  }
}

/** Some browsers occasionally never open a database, or never answer its first transaction. */
function withLimit<V>(environment: Environment, milliseconds: number, promise: Promise<V>): Promise<V> {
  return new Promise((resolve, reject) => {
    const stop = environment.timer(milliseconds, () => {
      reject(new Error('The browser does not open its database.'));
    });
    promise.then(resolve, reject).finally(stop);
  });
}

/** The fields that all records have. */
const common = ['type', 'id', 'seq', 'createdAt', 'deletedAt', 'space'];

function defined(fields: object, except: readonly string[] = []): FieldValues {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== undefined && !except.includes(name)),
  );
}

function refuse(sentence: string | null): void {
  if (sentence !== null) throw new RangeError(sentence);
}
