// One run-through: what is heard, what was missed, and its record, which is written as it goes.

import type { Player } from '../audio/player';
import type { PracticeExports } from '../generated/practice';
import {
  missedMove, parseMisses, printCovered, printMisses, withMiss, withoutMiss, type Heard, type Miss,
} from '../practice/misses';
import type { PracticePart } from '../practice/parts';
import { Listeners } from '../sync/listeners';
import type { LocalLibrary } from '../sync/library';
import { limits } from '../sync/validation';
import { HeardRanges, type RunParts } from './heardRanges';

/** What a run-through needs; tests replace it. */
export interface RunThroughWorld {
  readonly player: Pick<Player, 'snapshot' | 'position' | 'subscribe'>;
  readonly library: Pick<LocalLibrary, 'create' | 'edit' | 'get'>;
  readonly practice: Promise<PracticeExports>;
  /** Returns the parts as they are now. */
  readonly parts: () => readonly PracticePart[];
  /** A clock that does not jump, in milliseconds. */
  readonly now: () => number;
  /** The time of day, in Unix milliseconds, and how far it is ahead of UTC in minutes. */
  readonly today: () => { readonly startedAt: number; readonly utcOffset: number };
}

/** Less than this is not kept, unless something was missed. */
const leastSeconds = 10;
/** What is heard is stored this often: a closed page loses no more. */
const writeSeconds = 15;

/** A run-through while it is played. */
export class RunThroughSession {
  /** The latest miss, until it is taken back. */
  last: Miss | null = null;
  private readonly heard: HeardRanges;
  private readonly listeners = new Listeners();
  private readonly stopPlayer: () => void;
  private module: PracticeExports | null = null;
  private id: string | null = null;
  private began: ReturnType<RunThroughWorld['today']> | null = null;
  private percent = Infinity;
  private writtenSeconds = 0;
  private isPlaying = false;

  constructor(private readonly routineId: string, run: RunParts, private readonly world: RunThroughWorld) {
    this.heard = new HeardRanges(run);
    this.stopPlayer = world.player.subscribe(() => this.hear());
    world.practice.then((module) => {
      this.module = module;
    }, (failure) => reportError(failure));
    this.hear();
  }

  /** Calls back after every miss and what is taken back. */
  readonly subscribe = this.listeners.add;

  /** The record; null until something was missed or ten seconds were heard. */
  get recordId(): string | null {
    return this.id;
  }

  /** What was missed, by the record: another device may have changed it. */
  get misses(): readonly Miss[] {
    const record = this.id === null ? undefined : this.world.library.get('runThrough', this.id);
    return this.module && record ? parseMisses(this.module, record.misses ?? '') : [];
  }

  /** Goes on with other borders, or another order of parts. */
  follow(run: RunParts): void {
    this.heard.follow(run);
  }

  /** Notes that something was missed at a frame of the run, by default the one that is heard; nothing before the first sound. */
  miss(frame = this.world.player.position()): void {
    this.hear();
    // Another device may have reckoned a little ahead.
    const heard = this.heard.placeOf(Math.min(frame, this.world.player.position()));
    if (!heard) return;
    if (this.module) this.note(this.module, heard);
    // Pressed in the first moment: the code of the arithmetic is still on its way.
    else void this.world.practice.then((module) => this.note(module, heard), () => undefined);
  }

  /** Takes the latest miss back. */
  takeBack(): void {
    const { last, module, id } = this;
    if (!last || !module || id === null) return;
    this.last = null;
    this.edit(id, withoutMiss(module, this.misses, last));
  }

  /** Stores what was heard until now. */
  write(): void {
    const covered = printCovered(this.heard.covered);
    if (!this.began || covered === '' || covered.length > limits.runThrough.covered) return;
    this.writtenSeconds = this.heard.seconds;
    const fields = { covered, percent: Math.round(this.percent) };
    if (this.id === null) this.id = this.world.library.create('runThrough', { routine: this.routineId, ...this.began, ...fields });
    else this.world.library.edit('runThrough', this.id, fields);
  }

  /** Stores what was heard, if it is kept: the page may be closed next. */
  keep(): void {
    this.hear();
    if (this.id !== null || this.heard.seconds >= leastSeconds) this.write();
  }

  /** Ends it; returns the id of its record, null if there is none. */
  end(): string | null {
    this.keep();
    this.stopPlayer();
    this.listeners.clear();
    return this.id;
  }

  private hear(): void {
    const { player, now, today } = this.world;
    const { state, percent } = player.snapshot;
    const isPlaying = state === 'playing';
    // Its end is reported after the last sound.
    const isOver = state === 'ended' && this.isPlaying;
    if (isPlaying) {
      this.began ??= today();
      this.percent = Math.min(this.percent, percent);
    }
    this.heard.hear({ frame: player.position(), isPlaying: isPlaying || isOver, percent, milliseconds: now() });
    const hasPaused = this.isPlaying && !isPlaying;
    this.isPlaying = isPlaying;
    const unwritten = this.heard.seconds - this.writtenSeconds;
    if (this.id === null ? this.heard.seconds >= leastSeconds : unwritten >= writeSeconds || (hasPaused && unwritten > 0)) this.write();
  }

  private note(module: PracticeExports, heard: Heard): void {
    const { covered } = this.heard;
    const percent = Math.round(this.world.player.snapshot.percent);
    const miss = missedMove(module, this.world.parts(), { covered, percent }, heard);
    if (!miss) return;
    const next = withMiss(module, covered, this.misses, miss);
    if (printMisses(next).length > limits.runThrough.misses) return;
    this.write();
    if (this.id === null) return;
    this.last = miss;
    this.edit(this.id, next);
  }

  private edit(id: string, misses: readonly Miss[]): void {
    this.world.library.edit('runThrough', id, { misses: misses.length === 0 ? null : printMisses(misses) });
    this.listeners.tell();
  }
}
