// The practice log by days, as lists and files show it. Pure.

import type { PracticeEntry, RunThrough } from '../sync/records';
import { framesPerSecond, type Stretch } from '../timeline';
import { heardSections, type HeardSection } from './entry';

/** Returns the title that a record has, or had before it was deleted; null if it is not known. */
export type TitleOf = (type: 'routine' | 'part' | 'move', id: string) => string | null;

/** A moment on the clock of the device that practised. */
export interface LocalTime {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** HH:MM. */
  readonly time: string;
  /** Minutes ahead of UTC. */
  readonly utcOffset: number;
}

/** A part that a run-through covered, and how many of its misses lie in it. */
export interface CoveredPart extends Stretch {
  readonly partId: string;
  readonly misses: number;
}

/** A miss of a run-through. */
export interface NotedMiss {
  readonly partId: string;
  readonly frame: number;
  readonly moveId: string | null;
}

/** One line of the log. */
export type LogItem = {
  readonly id: string;
  readonly routineId: string;
  readonly startedAt: number;
  readonly at: LocalTime;
  readonly seconds: number;
} & (
  | { readonly kind: 'entry'; readonly sections: readonly HeardSection[] }
  | {
      readonly kind: 'runThrough';
      readonly percent: number;
      readonly covered: readonly CoveredPart[];
      readonly misses: readonly NotedMiss[];
      readonly notes: string;
    }
);

/** One day of the log, its latest item first. */
export interface LogDay {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly seconds: number;
  readonly items: readonly LogItem[];
}

/** Returns the local time of a moment with an offset from UTC; without one, by this device's time zone. */
export function localTime(startedAt: number, offset: number | null | undefined): LocalTime {
  const utcOffset = offset ?? -new Date(startedAt).getTimezoneOffset();
  const text = new Date(startedAt + utcOffset * 60_000).toISOString();
  return { day: text.slice(0, 10), time: text.slice(11, 16), utcOffset };
}

const wordsOfLines = (text: string | null | undefined): string[][] => (
  (text ?? '').split('\n').filter((line) => line !== '').map((line) => line.split(' '))
);

/** Reads what a run-through covered, and its misses; lines of another form are left out. */
function readRun({ covered, misses }: RunThrough): { covered: CoveredPart[]; misses: NotedMiss[] } {
  const noted = wordsOfLines(misses).flatMap(([partId = '', frame = '', move = '-']) => (
    /^\d+$/.test(frame) ? [{ partId, frame: Number(frame), moveId: move === '-' ? null : move }] : []
  ));
  const parts = wordsOfLines(covered).flatMap(([partId = '', start = '', end = '']) => {
    if (!/^\d+$/.test(start) || !/^\d+$/.test(end)) return [];
    const count = noted.filter((miss) => miss.partId === partId && miss.frame >= Number(start) && miss.frame < Number(end)).length;
    return [{ partId, startFrame: Number(start), endFrame: Number(end), misses: count }];
  });
  return { covered: parts, misses: noted };
}

const seconds = ({ startFrame, endFrame }: Stretch): number => (endFrame - startFrame) / framesPerSecond;

/** Makes the items of the log, the latest first. */
export function logItems(entries: readonly PracticeEntry[], runs: readonly RunThrough[]): LogItem[] {
  const items: LogItem[] = entries.map((entry) => {
    const sections = heardSections(entry.heard);
    return {
      kind: 'entry', id: entry.id, routineId: entry.routine, startedAt: entry.startedAt, sections,
      at: localTime(entry.startedAt, entry.utcOffset), seconds: sections.reduce((sum, section) => sum + section.seconds, 0),
    };
  });
  for (const run of runs) {
    const percent = run.percent ?? 100;
    const { covered, misses } = readRun(run);
    items.push({
      kind: 'runThrough', id: run.id, routineId: run.routine, startedAt: run.startedAt, percent, covered, misses,
      at: localTime(run.startedAt, run.utcOffset), notes: run.notes ?? '',
      seconds: covered.reduce((sum, part) => sum + (seconds(part) * 100) / percent, 0),
    });
  }
  return items.sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1));
}

/** Groups items by day, the latest first. A run-through is heard, too, so its time is in the entries already. */
export function logDays(items: readonly LogItem[]): LogDay[] {
  const days = new Map<string, LogItem[]>();
  for (const item of items) {
    const known = days.get(item.at.day);
    if (known) known.push(item);
    else days.set(item.at.day, [item]);
  }
  return [...days].sort(([a], [b]) => (a < b ? 1 : -1)).map(([day, own]) => ({
    day, items: own, seconds: own.reduce((sum, item) => sum + (item.kind === 'entry' ? item.seconds : 0), 0),
  }));
}
