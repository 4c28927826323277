// The exchange with the server: sends pending changes, fetches new records, and retries.
//
// Changes may be sent twice: the server applies a change only once. So a change counts as delivered
// only after its answer has arrived.

import { words } from '../words/words';
import type { Environment } from './environment';
import { post, ServerError, NetworkError } from './requests';
import type { Change, Role, Space, SyncAnswer, WireRecord } from './wire';

/** One page of records, with the results of the changes that were sent. */
export interface Page {
  readonly from: number;
  readonly answer: SyncAnswer;
  /** Changes that can be dropped: the server has them, and all their records are here. */
  readonly acknowledged: readonly Change[];
  readonly refused: readonly { readonly change: Change; readonly reason: string }[];
  /**
   * Changes whose stamps are too far ahead of the server's clock: the server accepts them with new
   * stamps.
   */
  readonly misdated: readonly Change[];
}

/** The state that the exchange reads, and the callbacks that it makes. */
export interface ExchangeHost {
  /** The sequence number up to which the records are here. */
  readonly since: number;
  /** The library of these records; null if unknown. */
  readonly library: string | null;
  /** Who these records belong to; null if unknown. */
  readonly person: string | null;
  /** The highest sequence number of forgotten deletions at the server's last answer. */
  readonly purged: number;
  /** The number of pending changes. */
  readonly waiting: number;
  take(most: number, mostCharacters: number): Change[];
  /** Settles once all edits are stored in this browser or failed to be. */
  stored(): Promise<boolean>;
  received(page: Page): void;
  /**
   * The server started again from an empty state, or the copy was too old: these are all its
   * records.
   */
  receivedAll(records: readonly WireRecord[], last: Page): void;
  /** As above, for another person than before: nothing of what was here may stay or be sent. */
  receivedAnothers(records: readonly WireRecord[], last: Page): void;
  standing(standing: Partial<ConnectionStatus>): void;
}

/** The state of the exchange. */
export interface ConnectionStatus {
  readonly syncing: boolean;
  readonly online: boolean;
  readonly problem: string | null;
  /** Whether the server does not know this device. */
  readonly unpaired: boolean;
  /** Whether the server has another library than the copy here. */
  readonly another: boolean;
}

const mostChanges = 2_000;
const mostCharacters = 1_000_000;
/** Browsers refuse to send more than 64 kB once the page is closed. */
const mostAfterHidden = 60_000;
const debounceMilliseconds = 150;
const longestDebounce = 1_000;
const longestBackoff = 30_000;

/** Runs exchanges one at a time. */
export class Exchange {
  private running: Promise<boolean> | null = null;
  private askedAgain = false;
  /** Whether another exchange was requested since the current attempt began. */
  private askedMeanwhile = false;
  /**
   * The latest sequence number announced during an exchange, usually caused by that exchange
   * itself.
   */
  private heard = 0;
  private closed = false;
  private takesAny = false;
  private failures = 0;
  private changesPerRequest = mostChanges;
  /**
   * Whether the last answer found all changes misdated. If it happens twice, the server's clock is
   * unusable.
   */
  private wasMisdated = false;
  private stopSoon: (() => void) | null = null;
  private soonAt = 0;
  private soonFirstAsked = 0;
  private stopBackoff: (() => void) | null = null;
  private readonly abort = new AbortController();

  constructor(
    private readonly host: ExchangeHost,
    private readonly environment: Environment,
    private readonly address: string,
  ) {}

  /** Exchanges shortly, so that closely following edits are sent together. */
  scheduleSync(milliseconds = debounceMilliseconds): void {
    // While the server is unreachable, the next attempt sends the changes.
    if (this.closed || this.stopBackoff) return;
    const now = this.environment.clock();
    const isLater = this.stopSoon !== null && now + milliseconds > this.soonAt;
    if (isLater && milliseconds > debounceMilliseconds) return;
    if (isLater && now - this.soonFirstAsked >= longestDebounce) return;
    if (!this.stopSoon) this.soonFirstAsked = now;
    this.stopSoon?.();
    this.soonAt = now + milliseconds;
    this.stopSoon = this.environment.timer(milliseconds, () => {
      this.stopSoon = null;
      if (this.host.waiting > 0) void this.syncNow();
    });
  }

  /** Exchanges now; resolves to whether it succeeded. */
  syncNow(): Promise<boolean> {
    if (this.closed) return Promise.resolve(false);
    this.cancelTimers();
    this.askedAgain = true;
    this.askedMeanwhile = this.running !== null;
    this.running ??= this.run();
    return this.running;
  }

  /** Accepts the server's library in place of the one here, and sends it the pending changes. */
  takeAnother(): void {
    this.takesAny = true;
    void this.syncNow();
  }

  /** The server has records up to this sequence number; null: possibly new ones. */
  serverHas(seq: number | null): void {
    if (seq === null) void this.syncNow();
    else if (this.running) this.heard = Math.max(this.heard, seq);
    else if (seq > this.host.since) void this.syncNow();
  }

  /** Checks whether the server is still reachable; a planned attempt already does. */
  checkConnection(): void {
    // The current attempt may have been answered before the connection was lost: repeat it.
    if (this.running) this.askedAgain = true;
    else if (!this.stopBackoff) void this.syncNow();
  }

  /**
   * Sends pending changes before the page is suspended, without waiting for the current exchange.
   */
  flush(): void {
    if (this.closed || this.host.waiting === 0) return;
    const changes = this.host.take(this.changesPerRequest, mostAfterHidden);
    const body = this.body(this.host.since, changes);
    const keepalive = body.length < mostAfterHidden;
    // A closed page cannot use the answer. The changes stay in the outbox until an ordinary
    // exchange has acknowledged them, so a failure here loses nothing.
    post(this.environment, this.address, body, this.abort.signal, keepalive).then(
      () => this.scheduleSync(),
      () => this.scheduleSync(),
    );
  }

  close(): void {
    this.closed = true;
    this.cancelTimers();
    this.abort.abort();
  }

  private cancelTimers(): void {
    this.stopSoon?.();
    this.stopBackoff?.();
    this.stopSoon = this.stopBackoff = null;
  }

  private async run(): Promise<boolean> {
    this.host.standing({ syncing: true });
    try {
      while ((this.askedAgain || this.heard > this.host.since) && !this.closed) {
        this.askedAgain = this.askedMeanwhile = false;
        this.heard = 0;
        await this.round();
      }
      this.failures = 0;
      this.running = null;
      this.takesAny = false;
      this.host.standing({ syncing: false, online: true, problem: null, unpaired: false, another: false });
      return !this.closed;
    } catch (failure) {
      // The request was made for a reason that this attempt does not know: the network is back, or
      // the device was paired.
      if (this.askedMeanwhile && !this.closed) return await this.run();
      this.failures += 1;
      this.running = null;
      if (this.closed) return false;
      this.backOff();
      if (failure instanceof ServerError && failure.status === 401) {
        // All changes are kept, and sent once the device is paired again.
        this.host.standing({ syncing: false, online: true, problem: null, unpaired: true });
        return false;
      }
      if (failure instanceof ServerError && failure.isFromSegmance && failure.status === 409) {
        // Downloads and uploads treat this as an unreachable server.
        this.host.standing({ syncing: false, online: false, problem: null, another: true });
        return false;
      }
      const online = !(failure instanceof NetworkError);
      this.host.standing({ syncing: false, online, problem: online ? sentence(failure) : null });
      return false;
    }
  }

  private backOff(): void {
    const longest = Math.min(1_000 * 2 ** (this.failures - 1), longestBackoff);
    // Random delays, so that not all clients connect at once when the server comes back.
    const share = (this.environment.random(new Uint8Array(1))[0] ?? 0) / 255;
    this.cancelTimers();
    this.stopBackoff = this.environment.timer(longest * (0.75 + share / 4), () => {
      this.stopBackoff = null;
      void this.syncNow();
    });
  }

  /** Sends one batch of changes and fetches every page of new records. */
  private async round(): Promise<void> {
    const changes = this.host.take(this.changesPerRequest, mostCharacters);
    if (this.host.waiting > changes.length) this.askedAgain = true;
    const from = this.host.since;
    let answer: SyncAnswer;
    try {
      answer = await this.ask(from, changes);
    } catch (failure) {
      if (!this.canSplit(failure, changes)) throw failure;
      return;
    }
    this.changesPerRequest = Math.min(this.changesPerRequest * 2, mostChanges);
    const { accepted, refused, misdated } = sorted(changes, answer);
    let page: Page = { from, answer, refused, misdated, acknowledged: [] };
    const isPurged = from > 0 && answer.purged > Math.max(from, this.host.purged);
    if (isAnothers(this.host.person, answer)) {
      await this.fetchAll(page);
    } else if (answer.seq < from || isPurged || isAnother(this.host.library, answer)) {
      await this.fetchAll({ ...page, acknowledged: accepted });
    } else {
      while (page.answer.more) {
        this.host.received(page);
        page = await this.nextPage(page);
      }
      this.host.received({ ...page, acknowledged: accepted });
    }
    const isMisdated = misdated.length > 0 && accepted.length === 0;
    if (isMisdated && this.wasMisdated) throw new ServerError(502, 'The server takes no stamps.');
    this.wasMisdated = isMisdated;
    if (misdated.length === 0) return;
    // If changes were sent with their new stamps while the old ones are on the disk, they would be
    // sent again as later edits.
    await this.host.stored();
    this.askedAgain = true;
  }

  /** Fetches the whole library again. */
  private async fetchAll(first: Page): Promise<void> {
    const records: WireRecord[] = [];
    let page: Page = { ...first, from: 0, answer: await this.ask(0, []) };
    records.push(...page.answer.records);
    while (page.answer.more) {
      page = await this.nextPage(page);
      records.push(...page.answer.records);
    }
    const last = { ...first, answer: page.answer };
    if (isAnothers(this.host.person, page.answer)) this.host.receivedAnothers(records, last);
    else this.host.receivedAll(records, last);
  }

  private async nextPage(page: Page): Promise<Page> {
    const from = page.answer.seq;
    const answer = await this.ask(from, []);
    if (isAnothers(page.answer.person, answer)) throw new NetworkError('This device was paired anew.');
    if (isAnother(page.answer.library, answer)) throw new NetworkError('A backup was restored.');
    if (answer.purged > page.answer.purged) throw new NetworkError('Deletions were forgotten meanwhile.');
    if (answer.more && answer.seq <= from) throw new ServerError(502, 'The server repeats itself.');
    return { from, answer, acknowledged: [], refused: [], misdated: [] };
  }

  /**
   * If the server refuses a whole request, finds the invalid change by sending fewer changes, so
   * that one change never blocks the others permanently.
   */
  private canSplit(failure: unknown, changes: readonly Change[]): boolean {
    if (!(failure instanceof ServerError) || ![400, 413, 422].includes(failure.status)) return false;
    if (changes.length === 0) return false;
    // A proxy that refuses has not read the changes; at most the request is too large for it.
    if (!failure.isFromSegmance && (failure.status !== 413 || changes.length === 1)) return false;
    this.askedAgain = true;
    this.changesPerRequest = Math.max(1, Math.floor(changes.length / 2));
    const [only] = changes;
    if (changes.length > 1 || !only) return true;
    const { since } = this.host;
    this.host.received({
      from: since,
      answer: {
        seq: since, records: [], rejected: [], more: false, clock: null, library: null, purged: this.host.purged,
        person: null, spaces: null, people: null,
      },
      acknowledged: [],
      refused: [{ change: only, reason: failure.message }],
      misdated: [],
    });
    return true;
  }

  private async ask(since: number, changes: readonly Change[]): Promise<SyncAnswer> {
    const body = this.body(since, changes);
    const answer = await post(this.environment, this.address, body, this.abort.signal, false);
    return asSyncAnswer(answer);
  }

  private body(since: number, changes: readonly Change[]): string {
    const { person } = this.host;
    // The server applies no changes of another person than the one that this browser was paired for meanwhile.
    return JSON.stringify({ library: this.takesAny ? null : this.host.library, ...(person !== null && { person }), since, changes });
  }
}

/** Sorts the sent changes by their results. */
function sorted(
  changes: readonly Change[], { rejected, clock }: SyncAnswer,
): { accepted: Change[]; refused: { change: Change; reason: string }[]; misdated: Change[] } {
  const rejections = new Map(rejected.map((rejection) => [rejection.id, rejection]));
  const accepted: Change[] = [];
  const refused: { change: Change; reason: string }[] = [];
  const misdated: Change[] = [];
  for (const change of changes) {
    const rejection = rejections.get(change.id);
    if (!rejection) accepted.push(change);
    else if (rejection.code === 'clock' && clock !== null) misdated.push(change);
    else refused.push({ change, reason: rejection.reason });
  }
  return { accepted, refused, misdated };
}

/**
 * Whether an answer comes from another library than the known one: sequence numbers can't be
 * compared then.
 */
function isAnother(known: string | null, { library }: SyncAnswer): boolean {
  return known !== null && library !== null && known !== library;
}

/** Whether an answer is for another person than the one that the records belong to. */
function isAnothers(known: string | null, { person }: SyncAnswer): boolean {
  return known !== null && person !== null && known !== person;
}

function sentence(failure: unknown): string {
  const said = failure instanceof ServerError
    ? failure.message
    : words.sync.unreadable(String(failure));
  return `${said} ${words.sync.sentAgain}`;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isRecord(value: unknown): boolean {
  const record = value as Partial<WireRecord> | null;
  return typeof record?.type === 'string' && typeof record.id === 'string' && isCount(record.seq);
}

function isRejection(value: unknown): boolean {
  const rejection = value as { id?: unknown; reason?: unknown } | null;
  return typeof rejection?.id === 'string' && typeof rejection.reason === 'string';
}

function isRole(value: unknown): value is Role {
  return value === 'owner' || value === 'teacher' || value === 'performer';
}

function isSpace(value: unknown): boolean {
  const space = value as Partial<Space> | null;
  return typeof space?.id === 'string' && typeof space.name === 'string' && isRole(space.role)
    && (space.with === undefined || listOf(space.with, (name) => typeof name === 'string') !== null);
}

function listOf<V>(value: unknown, fits: (member: unknown) => boolean): readonly V[] | null {
  return Array.isArray(value) && value.every(fits) ? value : null;
}

/**
 * Accepts an answer only from Segmance: the login page of a guest network answers 200 too. It is
 * validated as a whole, since its records are stored, and a change without a rejection counts as
 * accepted.
 */
function asSyncAnswer(value: unknown): SyncAnswer {
  const answer = value as Partial<SyncAnswer> | null;
  const records = listOf<WireRecord>(answer?.records, isRecord);
  const rejected = listOf<SyncAnswer['rejected'][number]>(answer?.rejected ?? [], isRejection);
  if (!answer || !isCount(answer.seq) || !records || !rejected) {
    throw new NetworkError('The answer did not come from Segmance.');
  }
  return {
    seq: answer.seq,
    records,
    rejected,
    more: answer.more === true,
    clock: typeof answer.clock === 'string' ? answer.clock : null,
    library: typeof answer.library === 'string' ? answer.library : null,
    purged: isCount(answer.purged) ? answer.purged : 0,
    person: typeof answer.person === 'string' ? answer.person : null,
    spaces: listOf<Space>(answer.spaces, isSpace),
    people: typeof answer.people === 'boolean' ? answer.people : null,
  };
}
