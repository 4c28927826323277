// Keeps view, outbox, database, tabs and server in sync. `LocalLibrary` is its public interface.

import { words } from '../words/words';
import type { Environment } from './environment';
import { Exchange } from './exchange';
import type { ExchangeHost, Page, ConnectionStatus } from './exchange';
import type { IdMaker } from './ids';
import { Listeners } from './listeners';
import { Outbox } from './outbox';
import type { StampClock } from './stamp';
import type { SyncCursor, Store, Stored } from './store';
import type { TabMessage, Tabs } from './tabs';
import { LocalView } from './view';
import { Writer } from './writer';
import type { Change, LibraryStatus, Rejected, Space, WireRecord } from './wire';

/** Another tab's edit is sent from here only if that tab has not sent it by then. */
const foreignEditMilliseconds = 5_000;

/** The person who runs the server; the only one there is at first. */
export const serverOwner = 'owner';

const noSpaces: readonly Space[] = [];
const noReach: SyncCursor = { since: 0, complete: false, clock: null };

/** The local copy and all operations that change it. */
export class Replica implements ExchangeHost {
  readonly view = new LocalView();
  readonly exchange: Exchange;
  readonly listeners = new Listeners();
  version = 0;
  status: LibraryStatus;
  private readonly outbox = new Outbox();
  private readonly writer: Writer | null;
  private reach: SyncCursor;
  private storageProblem: string | null = null;
  private exchangeProblem: string | null = null;
  private closed = false;
  /** Whether the view has the stored records of the log. */
  isLogOpen: boolean;
  /** Null until the log is asked for. */
  private openingLog: Promise<void> | null = null;
  /** Counts the replacements of all records. */
  private replacements = 0;

  constructor(
    environment: Environment,
    address: string,
    private readonly clock: StampClock,
    private readonly ids: IdMaker,
    private readonly tabs: Tabs,
    private readonly store: Store | null,
    stored: Stored | null,
    /** Whether edits stay in this browser, and are never sent. */
    readonly keepsEdits = false,
  ) {
    this.exchange = new Exchange(this, environment, address);
    this.writer = store && new Writer(store, environment.timer, (e) => this.storageOutcome(e));
    this.reach = stored?.reach ?? noReach;
    // Without a database all records come from the server.
    this.isLogOpen = store === null;
    this.status = {
      online: environment.page.isOnline(),
      syncing: false,
      waiting: 0,
      rejected: stored?.rejected ?? [],
      loaded: this.reach.complete,
      problem: null,
      unpaired: false,
      another: false,
      person: this.person,
      spaces: this.spaces,
      people: this.people,
      isUnstored: false,
      isFull: false,
    };
    for (const record of stored?.records ?? []) this.view.takeRecord(record);
    this.addForeign(stored?.outbox ?? []);
    if (this.reach.clock) clock.observe(this.reach.clock);
    this.tell({ waiting: this.waiting });
    tabs.listen((message) => this.hearTab(message));
  }

  get since(): number {
    return this.reach.since;
  }

  get library(): string | null {
    return this.reach.library ?? null;
  }

  get person(): string | null {
    // A copy of an earlier version is the owner's: there was nobody else.
    return this.reach.person ?? (this.reach.complete && !this.keepsEdits ? serverOwner : null);
  }

  get spaces(): readonly Space[] {
    return this.reach.spaces ?? noSpaces;
  }

  get people(): boolean {
    return this.reach.people ?? ((this.person ?? serverOwner) !== serverOwner || this.spaces.length > 0);
  }

  get waiting(): number {
    return this.keepsEdits ? 0 : this.outbox.size;
  }

  get purged(): number {
    return this.reach.purged ?? 0;
  }

  /** Takes edits that the view already shows: stores, broadcasts and sends them. */
  edited(made: readonly Change[]): void {
    const replaced: Change[] = [];
    for (const change of made) {
      this.outbox.add(change, false);
      for (const old of this.outbox.replacedBy(change, this.view.pending(change))) {
        this.outbox.remove(old.id);
        this.view.dropPending(old);
        replaced.push(old);
      }
    }
    const drop = replaced.map((change) => change.id);
    const put = made.filter((change) => !drop.includes(change.id));
    this.writer?.add({ put, drop });
    this.tabs.tell({ kind: 'edited', put, drop });
    this.tell({ waiting: this.waiting }, true);
    this.exchange.scheduleSync();
  }

  dismissRejected(id: string): void {
    this.forgetRejected(id);
    this.writer?.add({ dismiss: [id] });
    this.tabs.tell({ kind: 'dismissed', id });
  }

  /** The result of writing to the browser's database: null, or the error. */
  storageOutcome(failure: unknown): void {
    this.storageProblem = failure === null ? null : storageSentence(failure, this.store !== null);
    this.tell({ isUnstored: failure !== null, isFull: isQuotaExceeded(failure) });
  }

  /**
   * Settles once all edits are stored or failed to be; resolves to whether all of them are safe.
   */
  async stored(): Promise<boolean> {
    await this.writer?.settled();
    return this.outbox.size === 0 || (this.writer !== null && !this.status.isUnstored);
  }

  /** Reads the log, once. After a failure it can be tried again. */
  openLog(): Promise<void> {
    this.openingLog ??= this.readLog().catch((failure: unknown) => {
      this.openingLog = null;
      throw failure;
    });
    return this.openingLog;
  }

  private async readLog(): Promise<void> {
    if (!this.store || this.isLogOpen) return;
    const { replacements } = this;
    const records = await this.store.loadLog();
    if (this.closed) return;
    // After a replacement these records are outdated, and the view has the log: see `receivedAll` and `reload`.
    if (replacements === this.replacements) for (const record of records) this.view.takeRecord(record);
    this.isLogOpen = true;
    this.tell({}, true);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.exchange.close();
    this.tabs.close();
    await this.writer?.close();
  }

  take(most: number, mostCharacters: number): Change[] {
    return this.keepsEdits ? [] : this.outbox.take(most, mostCharacters);
  }

  received(page: Page): void {
    if (this.closed) return;
    const reach = this.reachAfter(page, this.reach.complete || !page.answer.more);
    const { records } = page.answer;
    const drop = this.settled(page);
    const reject = rejections(page);
    this.writer?.add({ from: page.from, records, reach, drop, reject });
    this.tabs.tell({ kind: 'synced', from: page.from, records, reach, drop, reject });
    this.apply(page.from, records, reach, drop, reject);
    this.restamp(page);
  }

  receivedAll(records: readonly WireRecord[], last: Page): void {
    this.replaceAll(records, last, this.settled(last), rejections(last), []);
  }

  receivedAnothers(records: readonly WireRecord[], last: Page): void {
    const dismiss = this.status.rejected.map(({ id }) => id);
    this.tell({ rejected: [] });
    this.replaceAll(records, { ...last, misdated: [] }, this.outbox.all.map(({ id }) => id), [], dismiss);
  }

  private replaceAll(
    records: readonly WireRecord[], last: Page, drop: readonly string[], reject: readonly Rejected[], dismiss: readonly string[],
  ): void {
    if (this.closed) return;
    const reach = this.reachAfter(last, true);
    this.replaceRecords(records);
    this.isLogOpen = true;
    this.reach = reach;
    this.writer?.add({ clear: true, records, reach, drop, reject, dismiss });
    // If storing failed, other tabs would read outdated records.
    void this.writer?.settled().then(() => {
      if (!this.status.isUnstored) this.tabs.tell({ kind: 'replaced' });
    });
    this.apply(reach.since, [], reach, drop, reject);
    this.restamp(last);
  }

  standing({ problem, ...others }: Partial<ConnectionStatus>): void {
    if (problem !== undefined) this.exchangeProblem = problem;
    this.tell(others);
  }

  private reachAfter({ answer }: Page, complete: boolean): SyncCursor {
    const clock = answer.clock ?? this.reach.clock;
    if (clock) this.clock.observe(clock);
    const library = answer.library ?? this.library;
    const person = answer.person ?? this.person;
    const isSame = answer.spaces === null || JSON.stringify(answer.spaces) === JSON.stringify(this.spaces);
    const spaces = isSame ? this.spaces : answer.spaces ?? noSpaces;
    const people = answer.people ?? this.reach.people;
    return {
      since: answer.seq, complete, clock, library, purged: answer.purged, person, spaces, ...(people !== undefined && { people }),
    };
  }

  /**
   * Gives new stamps, after the server's clock, to the misdated changes and to all later ones. The
   * server has applied none of them, so each becomes a different change.
   */
  private restamp({ misdated, answer }: Page): void {
    const [first] = misdated.map(({ at }) => at).sort();
    const { all } = this.outbox;
    const old = all.filter(({ at }) => first !== undefined && at >= first);
    // Another tab has done it.
    if (old.length === 0) return;
    const kept = all.slice(0, all.length - old.length).map(({ at }) => at);
    const seen = [answer.clock, this.reach.clock, ...kept].filter((stamp): stamp is string => stamp !== null);
    const stamps = this.clock.restart(seen, old.length);
    const put = old.map((change, index): Change => ({ ...change, id: this.ids.next(), at: stamps[index] ?? change.at }));
    const drop = old.map(({ id }) => id);
    this.addForeign(put);
    this.forget(drop);
    this.writer?.add({ put, drop });
    this.tabs.tell({ kind: 'edited', put, drop });
    this.tell({ waiting: this.waiting }, true);
  }

  private settled(page: Page): string[] {
    return [...page.acknowledged, ...page.refused.map(({ change }) => change)].map(({ id }) => id);
  }

  /**
   * Applies the server's answer, received here or in another tab. Records are applied before
   * changes are dropped, to avoid flicker.
   */
  private apply(
    from: number, records: readonly WireRecord[], reach: SyncCursor,
    drop: readonly string[], reject: readonly Rejected[],
  ): void {
    let changed = false;
    for (const record of records) changed = this.view.takeRecord(record) || changed;
    changed = this.forget(drop) || changed;
    // A page continues this copy only if it begins at or before its end.
    if (from <= this.reach.since && reach.since >= this.reach.since) this.reach = reach;
    const known = new Set(this.status.rejected.map(({ id }) => id));
    const fresh = reject.filter(({ id }) => !known.has(id));
    this.tell({
      waiting: this.waiting,
      loaded: this.status.loaded || this.reach.complete,
      rejected: fresh.length > 0 ? [...this.status.rejected, ...fresh] : this.status.rejected,
    }, changed);
  }

  private addForeign(changes: readonly Change[]): void {
    for (const change of changes) {
      this.outbox.add(change, true);
      this.view.addPending(change);
      this.clock.observe(change.at);
    }
  }

  /** Removes pending changes; returns whether there were any. */
  private forget(ids: readonly string[]): boolean {
    const changes = this.outbox.find(ids);
    for (const change of changes) {
      this.outbox.remove(change.id);
      this.view.dropPending(change);
    }
    return changes.length > 0;
  }

  private hearTab(message: TabMessage): void {
    if (this.closed) return;
    switch (message.kind) {
      case 'edited':
        this.addForeign(message.put);
        this.forget(message.drop);
        this.writer?.forget(message.drop);
        this.tell({ waiting: this.waiting }, true);
        this.exchange.scheduleSync(foreignEditMilliseconds);
        return;
      case 'synced':
        if (message.reach.clock) this.clock.observe(message.reach.clock);
        this.apply(message.from, message.records, message.reach, message.drop, message.reject);
        this.writer?.forget(message.drop);
        return;
      case 'replaced':
        void this.reload();
        return;
      case 'dismissed':
        this.forgetRejected(message.id);
    }
  }

  /** Reads everything again after another tab has replaced it. */
  private async reload(): Promise<void> {
    if (!this.store) return void this.exchange.syncNow();
    try {
      const stored = await this.store.load();
      const hasLog = this.isLogOpen || this.openingLog !== null;
      const log = hasLog ? await this.store.loadLog() : [];
      if (this.closed) return;
      const before = this.person;
      this.replaceRecords([...stored.records, ...log]);
      this.reach = stored.reach ?? noReach;
      if (before !== null && this.person !== before) {
        const ids = this.outbox.all.map(({ id }) => id);
        this.forget(ids);
        this.writer?.forget(ids);
        this.tell({ rejected: [], waiting: this.waiting });
      }
      this.tell({}, true);
    } catch (failure) {
      this.storageOutcome(failure);
    }
    void this.exchange.syncNow();
  }

  private replaceRecords(records: readonly WireRecord[]): void {
    this.view.replaceRecords(records);
    this.replacements += 1;
  }

  private forgetRejected(id: string): void {
    const rejected = this.status.rejected.filter((each) => each.id !== id);
    if (rejected.length < this.status.rejected.length) this.tell({ rejected });
  }

  /** Replaces the status if it differs, and notifies if it does or if records changed. */
  private tell(parts: Partial<LibraryStatus>, recordsChanged = false): void {
    const problem = this.storageProblem ?? this.exchangeProblem;
    const status: LibraryStatus = { ...this.status, ...parts, problem, person: this.person, spaces: this.spaces, people: this.people };
    const keys = Object.keys(status) as (keyof LibraryStatus)[];
    const isSame = keys.every((key) => status[key] === this.status[key]);
    if (isSame && !recordsChanged) return;
    if (!isSame) this.status = status;
    this.version += 1;
    this.listeners.tell();
  }
}

function rejections({ refused }: Page): Rejected[] {
  return refused.map(({ change, reason }) => ({ ...change, reason }));
}

function isQuotaExceeded(failure: unknown): boolean {
  return (failure instanceof Error || failure instanceof DOMException) && failure.name === 'QuotaExceededError';
}

function storageSentence(failure: unknown, wasOpen: boolean): string {
  const { storageFull, notStored, noStorage, lost } = words.sync;
  return `${isQuotaExceeded(failure) ? storageFull : wasOpen ? notStored : noStorage} ${lost}`;
}
