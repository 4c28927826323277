import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoDay, parseDay } from '../../src/ui/day';
import { dayOf } from '../../src/ui/today';

test('a day is the same text in every time zone', () => {
  const zone = process.env['TZ'];
  try {
    for (const TZ of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/Sao_Paulo', 'Asia/Kolkata']) {
      Object.assign(process.env, { TZ });
      for (const [day, text] of [[0, '1970-01-01'], [20_790, '2026-12-03'], [21_243, '2028-02-29'], [100_000, '2243-10-17']] as const) {
        assert.equal(isoDay(day), text, TZ);
        assert.equal(parseDay(text), day, TZ);
      }
      // The last and the first moment of a day, by the clock on the wall.
      assert.equal(dayOf(new Date(2026, 11, 3, 23, 59, 59)), 20_790, TZ);
      assert.equal(dayOf(new Date(2026, 11, 4, 0, 0, 0)), 20_791, TZ);
    }
  } finally {
    Object.assign(process.env, { TZ: zone ?? 'UTC' });
  }
});

test('text that is no day, and a day that cannot be stored, is none', () => {
  for (const text of ['', '2026', '2026-13-01', '2026-12-32', '0026-12-03', '1969-12-31', '2243-10-18', '12026-12-03', '2026-12-03T10:00']) {
    assert.equal(parseDay(text), null, text);
  }
});
