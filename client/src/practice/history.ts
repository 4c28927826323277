// What the log says of a routine's parts. All arithmetic is done by Sources/Practice; here numbers are passed on.

import type { PracticeExports } from '../generated/practice';
import { PracticeMemory } from './memory';
import { addParts, type PracticePart } from './parts';
import { numbersOfProposal, numbersOfStep, reasonFrom, stepFrom, type PlanStep, type Step } from './plan';

/** What a history reads of an entry of the log. */
export interface EntryRecord {
  readonly startedAt: number;
  readonly utcOffset?: number | null;
  readonly heard?: string | null;
}

/** What a history reads of a run-through. */
export interface RunRecord {
  readonly startedAt: number;
  readonly utcOffset?: number | null;
  readonly percent?: number | null;
  readonly covered?: string | null;
  readonly misses?: string | null;
}

/** A day on which a part was practised. `percent` is the best whole pass, 0 if there was none. */
export interface DayOfPart {
  readonly day: number;
  readonly passes: number;
  readonly percent: number;
}

/** What a part has reached. Days are local ones since 1970-01-01, speeds in percent of the original. */
export interface PartProgress {
  readonly targetPercent: number;
  /** 0 if no whole pass was heard. */
  readonly reachedPercent: number;
  readonly reachedDay: number | null;
  /** The first day at the target. */
  readonly atTempoDay: number | null;
  readonly lastDay: number | null;
  readonly passes: number;
  readonly seconds: number;
  /** It was missed in `missed` of the last `missable` run-throughs, at most five. */
  readonly missed: number;
  readonly missable: number;
  /** Rising. */
  readonly days: readonly DayOfPart[];
}

/** The seconds of a week that begins on a Monday. */
export interface Week {
  readonly firstDay: number;
  readonly seconds: number;
}

/** What there is to derive from. */
export interface Log {
  /** In the order of the routine. */
  readonly parts: readonly PracticePart[];
  readonly entries: readonly EntryRecord[];
  readonly runs: readonly RunRecord[];
  /** Unix milliseconds. */
  readonly now: number;
  /** Minutes ahead of UTC. */
  readonly utcOffset: number;
}

/** The history of parts, derived once. `close` gives its memory back. */
export class PracticeHistory {
  private readonly memory: PracticeMemory;
  /** In the order of the routine. */
  readonly parts: readonly PracticePart[];

  constructor(private readonly exports: PracticeExports, { parts, entries, runs, now, utcOffset }: Log) {
    this.memory = new PracticeMemory(exports);
    const { handle } = this.memory;
    this.parts = addParts(this.memory, parts);
    for (const entry of entries) {
      const { address, bytes } = this.memory.text(entry.heard ?? '');
      exports.practice_add_entry(handle, entry.startedAt, entry.utcOffset ?? 0, address, bytes);
    }
    for (const run of runs) {
      const covered = this.memory.text(run.covered ?? '');
      exports.practice_set_covered(handle, covered.address, covered.bytes);
      const misses = this.memory.text(run.misses ?? '');
      exports.practice_set_misses(handle, misses.address, misses.bytes);
      exports.practice_add_run(handle, run.startedAt, run.utcOffset ?? 0, run.percent ?? 100);
    }
    exports.practice_derive(handle, now, utcOffset);
  }

  /** Returns how weak a move is, 0 to 1; null while nothing is known of it. */
  weaknessOfMove(moveId: string): number | null {
    const place = this.placeOf(moveId);
    return place && orNull(this.exports.practice_move_weakness(this.memory.handle, place.part, place.move));
  }

  /** Returns in how many of the last run-throughs that covered a move, at most five, it was missed. */
  missesOfMove(moveId: string): { readonly missed: number; readonly of: number } | null {
    const place = this.placeOf(moveId);
    if (!place || this.exports.practice_move_misses(this.memory.handle, place.part, place.move) === 0) return null;
    const [missed = 0, of = 0] = this.memory.numbers();
    return { missed, of };
  }

  /** Returns how weak a part is, 0 to 1; null while nothing is known of it. */
  weaknessOfPart(partId: string): number | null {
    return orNull(this.exports.practice_part_weakness(this.memory.handle, this.indexOf(partId)));
  }

  /** Returns how weak the transition from a part into the next one is, 0 to 1; null while nothing is known of it. */
  weaknessOfTransition(firstPartId: string): number | null {
    return orNull(this.exports.practice_transition_weakness(this.memory.handle, this.indexOf(firstPartId)));
  }

  /** Returns what a part has reached; null of one that is not known. */
  progressOf(partId: string): PartProgress | null {
    if (this.exports.practice_progress(this.memory.handle, this.indexOf(partId)) === 0) return null;
    const numbers = this.memory.numbers();
    const [target = 100, reached = 0, reachedDay = NaN, atTempoDay = NaN, lastDay = NaN, passes = 0, seconds = 0,
      missed = 0, missable = 0] = numbers;
    return {
      targetPercent: target, reachedPercent: reached, reachedDay: orNull(reachedDay), atTempoDay: orNull(atTempoDay),
      lastDay: orNull(lastDay), passes, seconds, missed, missable,
      days: inGroups(numbers.slice(9), 3).map(([day = 0, dayPasses = 0, percent = 0]) => (
        { day, passes: dayPasses, percent }
      )),
    };
  }

  /** Returns the weeks with practice, rising: of all entries, also of parts that are not known. */
  weeks(): Week[] {
    this.exports.practice_weeks(this.memory.handle);
    return inGroups(this.memory.numbers(), 2).map(([firstDay = 0, seconds = 0]) => ({ firstDay, seconds }));
  }

  /** Proposes a session. A performance that is over counts as none; null is none. */
  propose({ minutes, performanceDay }: { readonly minutes: number; readonly performanceDay: number | null }): Step[] {
    this.exports.practice_propose(this.memory.handle, minutes, performanceDay ?? NaN);
    return inGroups(this.memory.numbers(), numbersOfProposal).map((numbers) => ({
      ...stepFrom(numbers, this.parts),
      expectedSeconds: numbers[numbersOfStep] ?? 0,
      reason: reasonFrom(numbers.slice(numbersOfStep + 1)),
    }));
  }

  /** Returns the step that suits one part today; null of one that is not known. */
  stepFor(partId: string): PlanStep | null {
    if (this.exports.practice_block(this.memory.handle, this.indexOf(partId)) === 0) return null;
    return stepFrom(this.memory.numbers(), this.parts);
  }

  close(): void {
    this.memory.close();
  }

  private placeOf(moveId: string): { readonly part: number; readonly move: number } | null {
    for (const [part, { moves }] of this.parts.entries()) {
      const move = moves.findIndex(({ id }) => id === moveId);
      if (move >= 0) return { part, move };
    }
    return null;
  }

  /** -1 of a part that is not known. */
  private indexOf(partId: string): number {
    return this.parts.findIndex(({ id }) => id === partId);
  }
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** Cuts numbers into groups of the same size. */
function inGroups(numbers: readonly number[], size: number): number[][] {
  return Array.from({ length: Math.floor(numbers.length / size) }, (_, index) => (
    numbers.slice(index * size, (index + 1) * size)
  ));
}
