// The practice log by days, and as files.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localTime, logDays, logItems, type TitleOf } from '../../src/practiceLog/days';
import { csvCell, logCSV, logJSON } from '../../src/practiceLog/files';
import { heardSections } from '../../src/practiceLog/entry';
import type { PracticeEntry, RunThrough } from '../../src/sync/records';

const entry = (id: string, startedAt: string, utcOffset: number | null, heard: string): PracticeEntry => ({
  type: 'practiceEntry', id, createdAt: 0, routine: 'r', startedAt: Date.parse(startedAt), utcOffset, heard,
});
const run = (id: string, startedAt: string, fields: Partial<RunThrough>): RunThrough => ({
  type: 'runThrough', id, createdAt: 0, routine: 'r', startedAt: Date.parse(startedAt), utcOffset: 60, ...fields,
});
const titles: { readonly [id: string]: string } = { r: '=Swan, "Lake"', a: 'One', m: '-Turn' };
const titleOf: TitleOf = (_type, id) => titles[id] ?? null;

const log = logItems(
  [
    entry('e1', '2026-03-01T23:30:00Z', 120, 'a 0 480000 3 30 90 1\nb 48000 96000 0 4 0 0'),
    entry('e2', '2026-03-01T10:00:00Z', -330, 'a 0 480000 1 10 100 1'),
  ],
  [run('t1', '2026-03-01T12:00:00Z', {
    percent: 80, covered: 'a 0 480000\nb 0 96000', misses: 'a 4800 m\nb 100 -\na 5000 x', notes: 'Arms,\nlate',
  })],
);

test('days are those of the device that practised, by the entry’s own offset', () => {
  assert.deepEqual(localTime(Date.parse('2026-03-01T23:30:00Z'), 120), { day: '2026-03-02', time: '01:30', utcOffset: 120 });
  const days = logDays(log);
  assert.deepEqual(days.map(({ day, seconds, items }) => [day, seconds, items.map(({ id }) => id)]), [
    ['2026-03-02', 34, ['e1']], ['2026-03-01', 10, ['t1', 'e2']],
  ]);
});

test('a run-through has its misses by part', () => {
  const item = log.find(({ kind }) => kind === 'runThrough');
  assert(item?.kind === 'runThrough');
  assert.deepEqual(item.covered.map(({ partId, misses }) => [partId, misses]), [['a', 2], ['b', 1]]);
  assert.deepEqual(item.misses.map(({ moveId }) => moveId), ['m', null, 'x']);
  assert.equal(item.seconds, 15);
});

test('lines of another form are left out', () => {
  assert.deepEqual(heardSections('a 0 1 1 1 1\nnonsense\n\na 0 x 1 1 1 1\na 0 1 1 1 100 0').map(({ hasMusic }) => hasMusic), [false]);
  assert.deepEqual(heardSections(null), []);
  assert.deepEqual(logItems([], [run('t', '2026-03-01T12:00:00Z', { covered: 'a b c', misses: '-' })])[0]?.seconds, 0);
});

test('the CSV has a row for each section, with cells that no spreadsheet takes for formulas', () => {
  const text = logCSV(log, titleOf);
  assert.equal(text.charCodeAt(0), 0xfeff);
  assert.deepEqual(text.slice(1).split('\r\n'), [
    'kind,date,time,utcOffset,routine,part,startSecond,endSecond,passes,seconds,speed,music,misses,notes,id',
    `practice,2026-03-01,04:30,-330,"'=Swan, ""Lake""",One,0,10,1,10,100,yes,,,e2`,
    `run-through,2026-03-01,13:00,60,"'=Swan, ""Lake""",One,0,10,,13,80,,2,"Arms,\nlate",t1`,
    `run-through,2026-03-01,13:00,60,"'=Swan, ""Lake""",,0,2,,3,80,,1,,t1`,
    `practice,2026-03-02,01:30,120,"'=Swan, ""Lake""",One,0,10,3,30,90,yes,,,e1`,
    `practice,2026-03-02,01:30,120,"'=Swan, ""Lake""",,1,2,0,4,,no,,,e1`,
    '',
  ]);
});

test('cells are quoted, and beginnings of formulas are defused', () => {
  assert.deepEqual(
    ['plain', '=1+1', '+1', '-1', '@x', '\tx', '\rx', 'a"b', 'a,b', 'a\nb', ''].map(csvCell),
    ['plain', "'=1+1", "'+1", "'-1", "'@x", "'\tx", '"\'\rx"', '"a""b"', '"a,b"', '"a\nb"', ''],
  );
  assert.deepEqual([csvCell(-330), csvCell(undefined)], ['-330', '']);
});

test('the JSON has ids and titles, and moments with their offset', () => {
  const file = JSON.parse(logJSON(log, titleOf)) as { entries: Record<string, unknown>[]; runThroughs: Record<string, unknown>[] };
  assert.deepEqual(file.entries.map(({ id, startedAt }) => [id, startedAt]), [
    ['e2', '2026-03-01T04:30:00-05:30'], ['e1', '2026-03-02T01:30:00+02:00'],
  ]);
  assert.deepEqual(file.entries[1]?.['sections'], [
    { part: { id: 'a', title: 'One' }, startFrame: 0, endFrame: 480_000, passes: 3, seconds: 30, percent: 90, music: true },
    { part: { id: 'b', title: null }, startFrame: 48_000, endFrame: 96_000, passes: 0, seconds: 4, percent: 0, music: false },
  ]);
  assert.deepEqual(file.runThroughs[0]?.['misses'], [
    { part: { id: 'a', title: 'One' }, frame: 4_800, move: { id: 'm', title: '-Turn' } },
    { part: { id: 'b', title: null }, frame: 100, move: null },
    { part: { id: 'a', title: 'One' }, frame: 5_000, move: { id: 'x', title: null } },
  ]);
});
