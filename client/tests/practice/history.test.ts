// History, weakness and proposals through the real module.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PracticeHistory, type EntryRecord, type Log, type RunRecord } from '../../src/practice/history';
import { id, part, practice } from './studio';

/** 2026-03-02 at noon in UTC, a Monday. */
const noon = 1_772_452_800_000;
const today = 20_514;
const dayMs = 86_400_000;
const parts = [part(1), part(2), part(3)];

function heard(number: number, percent: number, passes = 4): string {
  return `${id(number)} 480000 1440000 ${passes} ${passes * 20} ${percent} 1`;
}

function entry(daysAgo: number, ...lines: string[]): EntryRecord {
  return { startedAt: noon - daysAgo * dayMs, utcOffset: 60, heard: lines.join('\n') };
}

function run(daysAgo: number, ...misses: string[]): RunRecord {
  return {
    startedAt: noon - daysAgo * dayMs + 1_000, utcOffset: 60, percent: 100,
    covered: parts.map(({ id: partId, startFrame, endFrame }) => `${partId} ${startFrame} ${endFrame}`).join('\n'),
    misses: misses.join('\n'),
  };
}

function withHistory<Result>(log: Partial<Log>, ask: (history: PracticeHistory) => Result): Result {
  const history = new PracticeHistory(practice, { parts, entries: [], runs: [], now: noon, utcOffset: 60, ...log });
  try {
    return ask(history);
  } finally {
    history.close();
  }
}

test('without a log nothing is known, and everything is new', () => {
  withHistory({}, (history) => {
    assert.equal(history.weaknessOfPart(id(1)), null);
    assert.equal(history.weaknessOfMove(id(100)), null);
    assert.equal(history.weaknessOfTransition(id(1)), null);
    assert.deepEqual(history.weeks(), []);
    assert.deepEqual(history.progressOf(id(1)), {
      targetPercent: 100, reachedPercent: 0, reachedDay: null, atTempoDay: null, lastDay: null, passes: 0, seconds: 0,
      missed: 0, missable: 0, days: [],
    });
    assert.equal(history.progressOf('none'), null);
    const steps = history.propose({ minutes: 20, performanceDay: null });
    assert.deepEqual(new Set(steps.map(({ reason }) => reason.kind)), new Set(['new']));
  });
});

test('progress says what was reached, and when', () => {
  const entries = [entry(0, heard(1, 100)), entry(8, heard(1, 80)), entry(3, heard(1, 70, 2), heard(2, 90))];
  withHistory({ entries }, (history) => {
    const progress = history.progressOf(id(1));
    assert.equal(progress?.reachedPercent, 100);
    assert.equal(progress?.reachedDay, today);
    assert.equal(progress?.atTempoDay, today);
    assert.equal(progress?.passes, 10);
    assert.deepEqual(progress?.days, [
      { day: today - 8, passes: 4, percent: 80 }, { day: today - 3, passes: 2, percent: 70 }, { day: today, passes: 4, percent: 100 },
    ]);
    assert.deepEqual(history.weeks(), [
      { firstDay: today - 14, seconds: 80 }, { firstDay: today - 7, seconds: 120 }, { firstDay: today, seconds: 80 },
    ]);
  });
});

test('what was missed is weak, and fades as it goes well', () => {
  const miss = `${id(2)} 700000 ${id(201)}`;
  const weak = withHistory({ runs: [run(4, miss), run(3, miss)] }, (history) => {
    assert.equal(history.weaknessOfMove(id(200)), 0);
    assert.equal((history.weaknessOfPart(id(2)) ?? 0) > (history.weaknessOfPart(id(1)) ?? 1), true);
    assert.deepEqual(history.missesOfMove(id(201)), { missed: 2, of: 2 });
    assert.deepEqual(history.missesOfMove(id(200)), { missed: 0, of: 2 });
    assert.equal(history.missesOfMove(id(999)), null);
    assert.equal(history.progressOf(id(2))?.missed, 2);
    assert.equal(history.progressOf(id(2))?.missable, 2);
    return history.weaknessOfMove(id(201)) ?? 0;
  });
  const better = withHistory({ runs: [run(4, miss), run(3, miss), run(2), run(1)] }, (history) => history.weaknessOfMove(id(201)) ?? 1);
  assert.equal(better < weak / 2, true);
});

test('a session has steps with the ids of parts and reasons', () => {
  const entries = [1, 2, 3].map((day) => entry(day, heard(1, 100), heard(2, 90), heard(3, 100)));
  const runs = [3, 2, 1].map((day) => run(day, `${id(2)} 700000 -`));
  withHistory({ entries, runs }, (history) => {
    const steps = history.propose({ minutes: 20, performanceDay: today + 9 });
    const block = steps.find(({ kind }) => kind === 'part');
    assert.equal(block?.firstPart, id(2));
    assert.deepEqual(block?.reason, { kind: 'missed', missed: 3, of: 3 });
    const last = steps[steps.length - 1];
    assert.equal(last?.kind, 'runThrough');
    assert.deepEqual([last?.firstPart, last?.lastPart, last?.reason], [id(1), id(3), { kind: 'performance', days: 9 }]);
    assert.equal(steps.reduce((sum, { expectedSeconds }) => sum + expectedSeconds, 0) <= 1_200, true);
    assert.equal(history.stepFor(id(3))?.firstPart, id(3));
    assert.equal(history.stepFor('none'), null);
  });
});

test('records of any kind can be read', () => {
  const entries = [
    { startedAt: NaN }, { startedAt: Infinity, utcOffset: -Infinity, heard: 'é' }, { startedAt: 1e300, utcOffset: 1e9, heard: heard(1, 100) },
    { startedAt: -5, utcOffset: null, heard: null }, { startedAt: 0, heard: 'x\n'.repeat(6_000) },
  ];
  const runs = [{ startedAt: NaN, percent: NaN, covered: '\u0000', misses: '-' }, { startedAt: noon }];
  withHistory({ entries, runs, parts: [...parts, part(1), part(4, { id: 'short' }), part(5, { targetRate: NaN, endFrame: -1 })] }, (history) => {
    assert.equal(history.progressOf(id(1))?.reachedDay, today);
    assert.equal(history.progressOf('short'), null);
    assert.deepEqual(history.propose({ minutes: NaN, performanceDay: Infinity }), []);
    assert.equal(history.propose({ minutes: 1e9, performanceDay: -1e12 }).length > 10, true);
  });
});
