// Keeps routines on this device, and what was practised lately within a budget: works out what is
// needed, fetches what is missing, and lets go of what nobody needs any more.
//
// One tab fetches for all (a Web Lock says which); the others read what it writes. One that shows takes
// the lock: what holds it in the background goes on there as long as it may, but may be suspended.

import { neededAddress, pathOf } from '../apiAddress';
import { remember, remembered } from '../ui/device';
import type { Part, Track, Video } from '../sync/records';
import type { LibraryStatus } from '../sync/wire';
import { fileSize } from '../ui/text';
import type { KeptRoutine, OfflineDatabase, RecentPart } from './database';
import { NoRoom, NotThere, type MediaStore } from './mediaStore';
import { audioNeedsOf, needsOf, needsOfAll, recentNeeds, type Need } from './needs';

/** How a routine stands that is to be kept on this device. */
export interface Keeping {
  readonly state: 'kept' | 'keeping' | 'partly';
  /** Bytes that are here, and about how many there are in all. */
  readonly bytes: number;
  readonly total: number;
  /** A sentence that says why it does not go on; null while it does. */
  readonly problem: string | null;
}

/** What the keeper needs of the library. */
export interface KeeperLibrary {
  readonly status: LibraryStatus;
  get(type: 'track', id: string): Track | undefined;
  get(type: 'video', id: string): Video | undefined;
  get(type: 'part', id: string): Part | undefined;
  get(type: 'routine', id: string): { readonly title: string } | undefined;
  parts(routineId: string): readonly Part[];
  subscribe(listener: () => void): () => void;
}

/** What is stored, in bytes. */
export interface StorageUse {
  readonly kept: number;
  readonly recent: number;
}

const atOnce = 3;
const lookAgainMilliseconds = 500;
const lock = 'segmance-keeper';
/** Longer than a deletion can be undone. */
const sweepMilliseconds = 30_000;
const retryMilliseconds = 20_000;
const mostRecent = 300;
const reserveBytes = 10_000_000;
const budgetName = 'recentBytes';

/** The choices for what recently practised parts may take. */
export const budgets = [0, 250e6, 500e6, 1e9, 2e9] as const;
const usualBudget = 500e6;

/** Keeps media up with what is wanted here. */
export class Keeper {
  private kept = new Map<string, KeptRoutine>();
  private recent: RecentPart[] = [];
  private standings: ReadonlyMap<string, Keeping> = new Map();
  /** What the server does not have; asked for again on the next visit. */
  private readonly absent = new Set<string>();
  private readonly inWork = new Set<string>();
  private problem: string | null = null;
  private isLeader = false;
  /** Stands for the lock while this tab has it; it leads once it has read what is here. */
  private turn: object | null = null;
  private running: Promise<void> | null = null;
  private abort = new AbortController();
  private wasOnline = true;
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('segmance-offline');

  constructor(
    private readonly library: KeeperLibrary,
    private readonly database: OfflineDatabase,
    private readonly media: MediaStore,
    private readonly onChange: (kept: ReadonlyMap<string, Keeping>) => void,
    private readonly say: (sentence: string) => void,
  ) {}

  /** Reads what is to be kept, and begins. */
  async begin(): Promise<void> {
    await this.read();
    if (this.channel) this.channel.onmessage = () => this.later('read', 250, () => void this.readAgain());
    this.library.subscribe(() => this.later('look', lookAgainMilliseconds, () => this.look()));
    if (navigator.locks) {
      void this.waitForTurn();
      // By then it is here if it was free, and a page that was suspended has heard that it was taken.
      const look = (): void => this.later('turn', lookAgainMilliseconds, () => this.takeTurn());
      document.addEventListener('visibilitychange', look);
      look();
    } else void this.lead(() => this.media.load());
    this.look();
  }

  /** What recently practised parts may take, in bytes. */
  get budget(): number {
    const chosen = Number(remembered(budgetName) ?? NaN);
    return Number.isFinite(chosen) ? chosen : usualBudget;
  }

  set budget(bytes: number) {
    remember(budgetName, String(bytes));
    void this.free();
  }

  /** Keeps a routine; gives a sentence when there is no room for it. */
  async keep(routine: string): Promise<string | null> {
    const needs = needsOfAll(this.library.parts(routine), this.library);
    const { bytes, total } = this.sum(needs);
    const { quota, usage } = await navigator.storage?.estimate?.() ?? {};
    if (quota !== undefined && usage !== undefined) {
      const free = quota - usage + this.use().recent - reserveBytes;
      if (total - bytes > free) {
        return `This takes about ${fileSize(total - bytes)}, and there is room for ${fileSize(Math.max(0, free))}. Free some in Settings, under “Storage”.`;
      }
    }
    const since = this.kept.get(routine)?.since ?? Date.now();
    await this.database.put('kept', { routine, since, isPaused: false });
    // Without this a browser that is short of room may throw all away; it may say no.
    void navigator.storage?.persist?.();
    await this.changed();
    return null;
  }

  /** Stops fetching a routine; what is here stays. */
  async pause(routine: string): Promise<void> {
    const kept = this.kept.get(routine);
    if (!kept) return;
    await this.database.put('kept', { ...kept, isPaused: true });
    this.abort.abort();
    await this.changed();
  }

  /** Keeps a routine no longer, and frees what nothing else needs. */
  async release(routine: string): Promise<void> {
    await this.database.delete('kept', [routine]);
    await this.free();
  }

  /** Whether a part's audio is on this device. */
  isHere(id: string): boolean {
    const part = this.library.get('part', id);
    return !part || audioNeedsOf(part, this.library).every((need) => this.media.has(need));
  }

  /** Hears that parts are practised, or were just made and will be. */
  async practised(parts: readonly string[]): Promise<void> {
    const last = this.recent.reduce((latest, one) => (one.at > (latest?.at ?? 0) ? one : latest), this.recent[0]);
    if (parts.length === 1 && last?.part === parts[0]) return;
    const at = Date.now();
    for (const part of parts) await this.database.put('recent', { part, at });
    const old = [...this.recent].sort((one, other) => other.at - one.at).slice(mostRecent);
    await this.database.delete('recent', old.map((one) => one.part));
    await this.changed();
  }

  /** Forgets what was practised, and frees what only that needs. */
  async forgetRecent(): Promise<void> {
    await this.dropRecent();
    await this.free();
  }

  /** Counts what is here. */
  use(): StorageUse {
    const needed = new Set(this.keptNeeds(true).map(({ address }) => address));
    let kept = 0;
    let recent = 0;
    for (const [address, bytes] of this.media.entries) {
      if (needed.has(neededAddress(address))) kept += bytes;
      else recent += bytes;
    }
    return { kept, recent };
  }

  private dropRecent(): Promise<void> {
    return this.database.delete('recent', this.recent.map(({ part }) => part));
  }

  /** Takes over that less is wanted. What is on its way ends before the sweep, or it would stay. */
  private async free(): Promise<void> {
    const before = this.running;
    this.abort.abort();
    await this.changed();
    await before?.catch(() => undefined);
    await this.sweep();
  }

  /** Leads whenever no other tab does. */
  private async waitForTurn(): Promise<void> {
    for (;;) await this.hold({}, () => this.media.load());
  }

  private takeTurn(): void {
    if (this.turn || document.visibilityState === 'hidden') return;
    // The list has to do: what is not on it may be about to be, from the other tab.
    void this.hold({ steal: true }, () => this.media.reload());
  }

  /** Leads with the lock, until another tab takes it. */
  private async hold(options: LockOptions, read: () => Promise<void>): Promise<void> {
    try {
      await navigator.locks.request(lock, options, () => this.lead(read));
    } catch (failure) {
      this.turn = null;
      this.isLeader = false;
      this.abort.abort();
      if ((failure as Error).name !== 'AbortError') throw failure;
    }
  }

  private async lead(read: () => Promise<void>): Promise<void> {
    const turn = this.turn = {};
    // First what is here: what is fetched meanwhile would be forgotten again. Without it the list has to do.
    await read().catch((failure: unknown) => console.error(failure));
    if (this.turn === turn) {
      this.isLeader = true;
      this.look();
    }
    // Until the tab is closed, or the lock taken.
    await new Promise<never>(() => undefined);
  }

  private async read(): Promise<void> {
    const [kept, recent] = await Promise.all([
      this.database.all('kept'), this.database.all('recent'), this.media.reload(),
    ]);
    this.kept = new Map(kept.sort((one, other) => one.since - other.since).map((one) => [one.routine, one]));
    this.recent = recent;
  }

  private async readAgain(): Promise<void> {
    await this.read();
    this.look();
  }

  /** Takes over what was just written, here and in the other tabs. */
  private async changed(): Promise<void> {
    this.problem = null;
    await this.readAgain();
    this.channel?.postMessage('changed');
  }

  /** Looks at what is needed now: tells how it stands, and fetches what is missing. */
  private look(): void {
    const { online } = this.library.status;
    if (online && !this.wasOnline) this.problem = null;
    this.wasOnline = online;
    this.publish();
    if (!this.isLeader) return;
    this.later('sweep', sweepMilliseconds, () => void this.sweep());
    if (this.running || this.problem !== null) return;
    this.abort = new AbortController();
    this.running = this.run(this.abort.signal).finally(() => {
      this.running = null;
      this.publish();
      // What was asked for while the last ones came to their end.
      if (this.problem === null && this.missing()) this.later('look', 0, () => this.look());
    });
  }

  private async run(signal: AbortSignal): Promise<void> {
    const work = async (): Promise<void> => {
      for (let need = this.missing(); need && !signal.aborted && this.problem === null; need = this.missing()) {
        this.inWork.add(need.address);
        try {
          await this.media.fetch(need, signal, () => this.arrived());
          this.arrived();
        } catch (failure) {
          if (!signal.aborted) await this.failed(need, failure);
        } finally {
          this.inWork.delete(need.address);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  private arrived(): void {
    this.later('publish', 200, () => {
      this.publish();
      this.channel?.postMessage('changed');
    });
  }

  private async failed(need: Need, failure: unknown): Promise<void> {
    if (failure instanceof NotThere) {
      this.absent.add(need.address);
    } else if (failure instanceof NoRoom) {
      // What was practised lately is a convenience; what was chosen is not.
      if (this.recent.length > 0) {
        await this.dropRecent();
        await this.changed();
        await this.sweep();
      } else this.problem = 'There is no room left for it on this device.';
    } else {
      this.problem = 'It goes on when the server answers.';
      this.later('retry', retryMilliseconds, () => {
        this.problem = null;
        this.look();
      });
    }
  }

  /** Finds what is to be fetched next. */
  private missing(): Need | undefined {
    const isMissing = (need: Need): boolean => (
      !this.media.has(need) && !this.absent.has(need.address) && !this.inWork.has(need.address)
    );
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    return this.keptNeeds(false).find(isMissing)
      ?? (connection?.saveData ? undefined : this.recentNeeds().find(isMissing));
  }

  private keptNeeds(withPaused: boolean): Need[] {
    const routines = [...this.kept.values()].filter(({ isPaused }) => withPaused || !isPaused);
    return needsOfAll(routines.flatMap(({ routine }) => this.library.parts(routine)), this.library);
  }

  private recentNeeds(): readonly Need[] {
    const kept = new Set(this.keptNeeds(true).map(({ address }) => address));
    const needsOfPart = (id: string): readonly Need[] => {
      const part = this.library.get('part', id);
      return part ? needsOf(part, this.library) : [];
    };
    const sizeOf = (need: Need): number => this.media.standing(need).total;
    return recentNeeds(this.recent, this.budget, needsOfPart, (address) => kept.has(address), sizeOf).needs;
  }

  /** Lets go of what nobody needs. A copy of the library that is not whole proves nothing. */
  private async sweep(): Promise<void> {
    if (!this.library.status.loaded) return;
    const needs = [...this.keptNeeds(true), ...this.recentNeeds()];
    const needed = new Set(needs.map(({ address }) => address));
    // Until the version that is needed is here, the worker answers with an earlier one.
    const awaited = new Set(needs.filter((need) => !this.media.has(need)).map(({ address }) => pathOf(address)));
    const unneeded = [...this.media.entries].map(([address]) => address)
      .filter((address) => !needed.has(neededAddress(address)) && !awaited.has(pathOf(address)));
    if (unneeded.length === 0) return;
    await this.media.remove(unneeded);
    this.channel?.postMessage('changed');
    this.publish();
  }

  private publish(): void {
    const before = this.standings;
    const standings = new Map<string, Keeping>();
    for (const kept of this.kept.values()) {
      const routine = this.library.get('routine', kept.routine);
      if (!routine) continue;
      const now = this.standingOf(kept);
      const old = before.get(kept.routine);
      const isSame = old && (Object.keys(now) as (keyof Keeping)[]).every((key) => old[key] === now[key]);
      standings.set(kept.routine, isSame ? old : now);
      if (old?.state === 'keeping' && now.state === 'kept' && this.isLeader) {
        this.say(`“${routine.title}” is on this device now. It can be practised without a network.`);
      }
    }
    this.standings = standings;
    this.onChange(standings);
  }

  private standingOf({ routine, isPaused }: KeptRoutine): Keeping {
    const needs = needsOfAll(this.library.parts(routine), this.library);
    const missing = needs.filter((need) => !need.isExtra && !this.media.has(need));
    const { bytes, total } = this.sum(needs);
    if (missing.length === 0) return { state: 'kept', bytes, total: bytes, problem: null };
    if (isPaused) return { state: 'partly', bytes, total, problem: null };
    const areAbsent = missing.every(({ address }) => this.absent.has(address));
    const problem = areAbsent ? 'Some of it is not on the server.' : this.problem;
    return { state: problem === null ? 'keeping' : 'partly', bytes, total, problem };
  }

  private sum(needs: readonly Need[]): { bytes: number; total: number } {
    let [bytes, total] = [0, 0];
    for (const need of needs) {
      const standing = this.media.standing(need);
      bytes += standing.bytes;
      // What is an extra and not here may never come.
      if (!need.isExtra || standing.bytes > 0) total += standing.total;
    }
    return { bytes, total };
  }

  /** Does something after a while; a second call while it waits changes nothing. */
  private later(name: string, milliseconds: number, act: () => void): void {
    if (name === 'sweep') clearTimeout(this.timers.get(name));
    else if (this.timers.has(name)) return;
    this.timers.set(name, setTimeout(() => {
      this.timers.delete(name);
      act();
    }, milliseconds));
  }
}
