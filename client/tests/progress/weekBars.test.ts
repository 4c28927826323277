import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mondayOf, weekBars, weeksShown } from '../../src/progress/weekBars';

const dayOf = (text: string): number => Date.parse(text) / 86_400_000;

test('every day belongs to the Monday before it', () => {
  for (let day = 0; day < 3000; day += 1) {
    const monday = mondayOf(day);
    assert.equal(day - monday >= 0 && day - monday < 7, true);
    assert.equal(new Date(monday * 86_400_000).getUTCDay(), 1);
  }
});

test('weeks without practice are empty bars, up to this week', () => {
  const bars = weekBars([{ firstDay: dayOf('2026-11-02'), seconds: 3600 }, { firstDay: dayOf('2026-11-16'), seconds: 1799 }], dayOf('2026-11-26'));
  assert.equal(bars.length, weeksShown);
  assert.equal(bars[weeksShown - 1]?.firstDay, dayOf('2026-11-23'));
  assert.deepEqual(bars.slice(-4).map(({ minutes }) => minutes), [60, 0, 30, 0]);
  assert.deepEqual(bars.slice(-4).map(({ height }) => height), [1, 0, 0.5, 0]);
});

test('without practice all bars are empty', () => {
  assert.equal(weekBars([], dayOf('2026-11-26')).every(({ height, minutes }) => height === 0 && minutes === 0), true);
});

test('a label stands below the week in which a month begins, with the year in January', () => {
  const bars = weekBars([], dayOf('2027-02-01'));
  const labelled = bars.filter(({ label }) => label !== 'none').map(({ firstDay, label }) => [new Date(firstDay * 86_400_000).toISOString().slice(0, 10), label]);
  assert.deepEqual(labelled, [['2026-11-30', 'month'], ['2026-12-28', 'year'], ['2027-02-01', 'month']]);
});

test('ten years are drawn at most, and a week of a clock that was ahead', () => {
  const today = dayOf('2026-11-26');
  const bars = weekBars([{ firstDay: mondayOf(0), seconds: 60 }, { firstDay: mondayOf(today) + 7, seconds: 120 }], today);
  assert.equal(bars.length, 522);
  assert.equal(bars[521]?.minutes, 2);
});
