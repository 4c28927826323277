// The practice log as files; docs/FORMATS.md describes them. Pure.

import { framesPerSecond } from '../timeline';
import type { LogItem, TitleOf } from './days';

const columns = [
  'kind', 'date', 'time', 'utcOffset', 'routine', 'part', 'startSecond', 'endSecond', 'passes', 'seconds', 'speed', 'music',
  'misses', 'notes', 'id',
] as const;

type Row = Partial<Record<(typeof columns)[number], string | number>>;

/** Writes a cell: a spreadsheet must not take what somebody typed for a formula. */
export function csvCell(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

const inSeconds = (frame: number): number => Math.round((frame * 1_000) / framesPerSecond) / 1_000;

function rowsOf(item: LogItem, titleOf: TitleOf): Row[] {
  const { day: date, time, utcOffset } = item.at;
  const shared = { date, time, utcOffset, routine: titleOf('routine', item.routineId) ?? '', id: item.id };
  if (item.kind === 'entry') {
    return item.sections.map((section) => ({
      ...shared, kind: 'practice', part: titleOf('part', section.partId) ?? '', startSecond: inSeconds(section.startFrame),
      endSecond: inSeconds(section.endFrame), passes: section.passes, seconds: section.seconds,
      ...(section.percent > 0 && { speed: section.percent }), music: section.hasMusic ? 'yes' : 'no',
    }));
  }
  const covered: Row[] = item.covered.map((part) => ({
    part: titleOf('part', part.partId) ?? '', startSecond: inSeconds(part.startFrame), endSecond: inSeconds(part.endFrame),
    seconds: Math.round(((part.endFrame - part.startFrame) / framesPerSecond) * (100 / item.percent)), misses: part.misses,
  }));
  return (covered.length > 0 ? covered : [{}]).map((row, index) => ({
    ...shared, kind: 'run-through', speed: item.percent, ...row, ...(index === 0 && { notes: item.notes }),
  }));
}

/** Writes the log as CSV, the earliest row first. */
export function logCSV(items: readonly LogItem[], titleOf: TitleOf): string {
  const rows = [...items].reverse().flatMap((item) => rowsOf(item, titleOf));
  const lines = rows.map((row) => columns.map((column) => csvCell(row[column])).join(','));
  return `\ufeff${[columns.join(','), ...lines].map((line) => `${line}\r\n`).join('')}`;
}

function isoText({ startedAt, at: { utcOffset } }: LogItem): string {
  const local = new Date(startedAt + utcOffset * 60_000).toISOString().slice(0, 19);
  const minutes = Math.abs(utcOffset);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${local}${utcOffset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Writes the log as JSON, the earliest item first. */
export function logJSON(items: readonly LogItem[], titleOf: TitleOf): string {
  const named = (type: 'routine' | 'part' | 'move', id: string): object => ({ id, title: titleOf(type, id) });
  const entries: object[] = [];
  const runThroughs: object[] = [];
  for (const item of [...items].reverse()) {
    const shared = { id: item.id, startedAt: isoText(item), routine: named('routine', item.routineId) };
    if (item.kind === 'entry') {
      entries.push({
        ...shared,
        sections: item.sections.map(({ partId, hasMusic, startFrame, endFrame, passes, seconds, percent }) => (
          { part: named('part', partId), startFrame, endFrame, passes, seconds, percent, music: hasMusic }
        )),
      });
    } else {
      runThroughs.push({
        ...shared, percent: item.percent, notes: item.notes,
        covered: item.covered.map(({ partId, startFrame, endFrame }) => ({ part: named('part', partId), startFrame, endFrame })),
        misses: item.misses.map(({ partId, frame, moveId }) => (
          { part: named('part', partId), frame, move: moveId === null ? null : named('move', moveId) }
        )),
      });
    }
  }
  return `${JSON.stringify({ format: 'segmance-practice-log', version: 1, entries, runThroughs }, null, 2)}\n`;
}
