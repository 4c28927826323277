// Keeps routines on this device, and recently practised parts within a budget: computes the needed
// media, downloads missing ones, and deletes unneeded ones.
//
// One tab downloads for all (it holds a Web Lock); the others read the results. A visible tab takes
// the lock: its background holder continues as long as it can, but may be suspended.

import { neededAddress, pathOf } from '../apiAddress';
import { remember, remembered } from '../ui/device';
import type { Move, Part, Recording, Routine, Track, Video } from '../sync/records';
import type { Settings } from '../sync/settings';
import type { LibraryStatus } from '../sync/wire';
import { fileSize } from '../ui/text';
import { lateWords } from '../words/lateWords';
import type { KeptRoutine, OfflineDatabase, RecentPart } from './database';
import { NoRoom, NotThere, type MediaStore } from './mediaStore';
import { audioNeedsOf, needsOf, needsOfAll, recentNeeds, type Need } from './needs';

/** The state of a routine that is kept on this device. */
export interface Keeping {
  readonly state: 'kept' | 'keeping' | 'partly';
  /** The number of stored bytes, and the approximate total. */
  readonly bytes: number;
  readonly total: number;
  /** A sentence about why the download has stopped; null while it runs. */
  readonly problem: string | null;
}

/** The parts of the library that the keeper uses. */
export interface KeeperLibrary {
  readonly status: LibraryStatus;
  get(type: 'track', id: string): Track | undefined;
  get(type: 'video', id: string): Video | undefined;
  get(type: 'recording', id: string): Recording | undefined;
  get(type: 'part', id: string): Part | undefined;
  get(type: 'routine', id: string): Pick<Routine, 'title' | 'evenLoudness'> | undefined;
  parts(routineId: string): readonly Part[];
  isDeleted(type: 'routine' | 'part', id: string): boolean;
  moves(partId: string): readonly Move[];
  setting<N extends 'caller' | 'callerLanguage'>(name: N): Settings[N];
  subscribe(listener: () => void): () => void;
}

/** What is stored, in bytes. */
export interface StorageUse {
  readonly kept: number;
  readonly recent: number;
}

const atOnce = 3;
const lookAgainMilliseconds = 500;
/** Longer than a deletion can be undone. */
const sweepMilliseconds = 30_000;
const retryMilliseconds = 20_000;
const mostRecent = 300;
const reserveBytes = 10_000_000;
const budgetName = 'recentBytes';

/** The choices for the budget of recently practised parts. */
export const budgets = [0, 250e6, 500e6, 1e9, 2e9] as const;
const usualBudget = 500e6;

/** Keeps the stored media up to date with the needs. */
export class Keeper {
  private kept = new Map<string, KeptRoutine>();
  private recent: RecentPart[] = [];
  private standings: ReadonlyMap<string, Keeping> = new Map();
  /** Media that the server does not have; requested again on the next visit. */
  private readonly absent = new Set<string>();
  /** Those of them that are requested again soon. */
  private readonly postponed = new Set<string>();
  private readonly inWork = new Set<string>();
  /** The routines and parts that this device no longer sees. */
  private lost: ReadonlySet<string> = new Set();
  private problem: string | null = null;
  private isLeader = false;
  /**
   * Represents the lock while this tab holds it; the tab leads once it has read the stored media.
   */
  private turn: object | null = null;
  private running: Promise<void> | null = null;
  private abort = new AbortController();
  private wasOnline = true;
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly channel: BroadcastChannel | null;

  constructor(
    private readonly library: KeeperLibrary,
    private readonly database: OfflineDatabase,
    private readonly media: MediaStore,
    private readonly onChange: (kept: ReadonlyMap<string, Keeping>) => void,
    private readonly say: (sentence: string) => void,
    /** Keepers of one name share their media, and one of them leads. */
    private readonly name = 'segmance',
  ) {
    this.channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`${name}-offline`);
  }

  /** Reads the routines to keep, and starts. */
  async begin(): Promise<void> {
    await this.read();
    if (this.channel) this.channel.onmessage = () => this.later('read', 250, () => void this.readAgain());
    this.library.subscribe(() => this.later('look', lookAgainMilliseconds, () => this.look()));
    if (navigator.locks) {
      void this.waitForTurn();
      // By then a free lock was granted, and a suspended page has noticed that its lock was taken.
      const look = (): void => this.later('turn', lookAgainMilliseconds, () => this.takeTurn());
      document.addEventListener('visibilitychange', look);
      look();
    } else void this.lead(() => this.media.load());
    this.look();
  }

  /** The budget of recently practised parts, in bytes. */
  get budget(): number {
    const chosen = Number(remembered(budgetName) ?? NaN);
    return Number.isFinite(chosen) ? chosen : usualBudget;
  }

  set budget(bytes: number) {
    remember(budgetName, String(bytes));
    void this.free();
  }

  /** Keeps a routine; returns a sentence if there is not enough space. */
  async keep(routine: string): Promise<string | null> {
    const needs = needsOfAll(this.library.parts(routine), this.library);
    const { bytes, total } = this.sum(needs);
    const { quota, usage } = await navigator.storage?.estimate?.() ?? {};
    if (quota !== undefined && usage !== undefined) {
      const free = quota - usage + this.use().recent - reserveBytes;
      if (total - bytes > free) {
        return lateWords.offline.needsRoom(fileSize(total - bytes), fileSize(Math.max(0, free)));
      }
    }
    const since = this.kept.get(routine)?.since ?? Date.now();
    await this.database.put('kept', { routine, since, isPaused: false });
    // Without this a browser that is short of space may delete everything; it may refuse.
    void navigator.storage?.persist?.();
    await this.changed();
    return null;
  }

  /** Stops the download of a routine; stored files stay. */
  async pause(routine: string): Promise<void> {
    const kept = this.kept.get(routine);
    if (!kept) return;
    await this.database.put('kept', { ...kept, isPaused: true });
    this.abort.abort();
    await this.changed();
  }

  /** Stops keeping a routine, and deletes the files that only it needs. */
  async release(routine: string): Promise<void> {
    await this.database.delete('kept', [routine]);
    await this.free();
  }

  /** Whether a part's audio is on this device. */
  isHere(id: string): boolean {
    const part = this.library.get('part', id);
    return !part || audioNeedsOf(part, this.library).every((need) => this.media.has(need));
  }

  /** Notes that parts are practised, or were just created. */
  async practised(parts: readonly string[]): Promise<void> {
    const last = this.recent.reduce((latest, one) => (one.at > (latest?.at ?? 0) ? one : latest), this.recent[0]);
    if (parts.length === 1 && last?.part === parts[0]) return;
    const at = Date.now();
    for (const part of parts) await this.database.put('recent', { part, at });
    const old = [...this.recent].sort((one, other) => other.at - one.at).slice(mostRecent);
    await this.database.delete('recent', old.map((one) => one.part));
    await this.changed();
  }

  /** Clears the recently practised parts, and deletes the files that only they need. */
  async forgetRecent(): Promise<void> {
    await this.dropRecent();
    await this.free();
  }

  /** Returns the size of the stored media. */
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

  /**
   * Applies reduced needs. Running downloads end before the cleanup, which would otherwise miss
   * them.
   */
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
    // Uses the stored list: files that are not on it may be about to be, from the other tab.
    void this.hold({ steal: true }, () => this.media.reload());
  }

  /** Leads with the lock, until another tab takes it. */
  private async hold(options: LockOptions, read: () => Promise<void>): Promise<void> {
    try {
      await navigator.locks.request(`${this.name}-keeper`, options, () => this.lead(read));
    } catch (failure) {
      this.turn = null;
      this.isLeader = false;
      this.abort.abort();
      if ((failure as Error).name !== 'AbortError') throw failure;
    }
  }

  private async lead(read: () => Promise<void>): Promise<void> {
    const turn = this.turn = {};
    // Reads the stored media first: files downloaded meanwhile would be lost from the list. After
    // an error the list is used as it is.
    await read().catch((failure: unknown) => console.error(failure));
    if (this.turn === turn) {
      this.isLeader = true;
      this.look();
    }
    // Until the tab is closed, or the lock is taken.
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

  /** Applies written changes, here and in the other tabs. */
  private async changed(): Promise<void> {
    this.problem = null;
    await this.readAgain();
    this.channel?.postMessage('changed');
  }

  /** Computes the current needs: reports the state, and downloads missing media. */
  private look(): void {
    const { online } = this.library.status;
    if (online && !this.wasOnline) this.problem = null;
    this.wasOnline = online;
    this.publish();
    if (!this.isLeader) return;
    this.later('sweep', this.hasLost() ? lookAgainMilliseconds : sweepMilliseconds, () => void this.sweep());
    if (this.running || this.problem !== null) return;
    this.abort = new AbortController();
    this.running = this.run(this.abort.signal).finally(() => {
      this.running = null;
      this.publish();
      // Needs that were added while the last downloads ended.
      if (this.problem === null && this.missing()) this.later('look', 0, () => this.look());
    });
  }

  /**
   * Whether something to keep is not seen any more since the last call: a group has it, which this person has left. It
   * is not merely deleted, so no undo brings it back.
   */
  private hasLost(): boolean {
    if (!this.library.status.loaded) return false;
    const isLost = (type: 'routine' | 'part', id: string): boolean => (
      (type === 'routine' ? this.library.get(type, id) : this.library.get(type, id)) === undefined && !this.library.isDeleted(type, id)
    );
    const { lost } = this;
    this.lost = new Set([
      ...[...this.kept.keys()].filter((id) => isLost('routine', id)),
      ...this.recent.map(({ part }) => part).filter((id) => isLost('part', id)),
    ]);
    return [...this.lost].some((id) => !lost.has(id));
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
      // Recently practised parts are a convenience; chosen routines are not.
      if (this.recent.length > 0) {
        await this.dropRecent();
        await this.changed();
        await this.sweep();
      } else this.problem = lateWords.offline.noRoom;
    } else if (need.isExtra) {
      // Practice works without it, so it stops nothing else: a server without its speech program says no name.
      this.absent.add(need.address);
      this.postponed.add(need.address);
      this.later('extra', retryMilliseconds, () => {
        for (const address of this.postponed) this.absent.delete(address);
        this.postponed.clear();
        this.look();
      });
    } else {
      this.problem = lateWords.offline.continues;
      this.later('retry', retryMilliseconds, () => {
        this.problem = null;
        this.look();
      });
    }
  }

  /** Returns the next need to download. */
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

  /** Deletes unneeded media. An incomplete copy of the library proves nothing. */
  private async sweep(): Promise<void> {
    if (!this.library.status.loaded) return;
    const needs = [...this.keptNeeds(true), ...this.recentNeeds()];
    const needed = new Set(needs.map(({ address }) => address));
    // Until the needed version is downloaded, the worker answers with an earlier one.
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
        this.say(lateWords.offline.kept(routine.title));
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
    const problem = areAbsent ? lateWords.offline.notOnServer : this.problem;
    return { state: problem === null ? 'keeping' : 'partly', bytes, total, problem };
  }

  private sum(needs: readonly Need[]): { bytes: number; total: number } {
    let [bytes, total] = [0, 0];
    for (const need of needs) {
      const standing = this.media.standing(need);
      bytes += standing.bytes;
      // A missing optional file may never arrive.
      if (!need.isExtra || standing.bytes > 0) total += standing.total;
    }
    return { bytes, total };
  }

  /** Runs a function after a delay; a second call while it waits has no effect. */
  private later(name: string, milliseconds: number, act: () => void): void {
    if (name === 'sweep') clearTimeout(this.timers.get(name));
    else if (this.timers.has(name)) return;
    this.timers.set(name, setTimeout(() => {
      this.timers.delete(name);
      act();
    }, milliseconds));
  }
}
