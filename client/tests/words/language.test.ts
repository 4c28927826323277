import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayText } from '../../src/words/dates';
import { counted, listText, number, percentText, relativeDay, setLocale } from '../../src/words/format';
import { languageFor } from '../../src/words/language';

test('the language is the chosen one, or the first known one that the system asks for', () => {
  assert.deepEqual(languageFor('es', ['en-US']), { language: 'es', locale: 'es' });
  assert.deepEqual(languageFor(null, ['pt-BR', 'es-MX', 'en']), { language: 'es', locale: 'es-MX' });
  assert.deepEqual(languageFor('', ['EN-gb']), { language: 'en', locale: 'EN-gb' });
  assert.deepEqual(languageFor('xx', ['fr', 'de']), { language: 'en', locale: 'en' });
  assert.deepEqual(languageFor(null, []), { language: 'en', locale: 'en' });
});

test('numbers, percentages and lists follow the locale', () => {
  setLocale('en');
  assert.deepEqual([percentText(75), number(12_345.67, 1), counted(1, 'part', 'parts')], ['75%', '12,345.7', '1 part']);
  setLocale('es');
  assert.equal(percentText(75), '75\u00a0%');
  assert.equal(number(12_345.67, 1), '12.345,7');
  assert.equal(counted(2, 'parte', 'partes'), '2 partes');
  assert.equal(listText(['A', 'B', 'C']), 'A, B y C');
  setLocale('en');
});

test('days and their distance follow the locale', () => {
  setLocale('en-GB');
  assert.deepEqual([9, 143, 1, 0, -1, -59, -60, -400].map(relativeDay), [
    'in 9 days', 'in 143 days', 'tomorrow', 'today', 'yesterday', '59 days ago', '2 months ago', '13 months ago',
  ]);
  // Whether a comma follows the weekday depends on the browser.
  assert.equal(dayText(20_790).replace(',', ''), 'Thursday 3 December 2026');
  assert.equal(dayText(20_790, { month: 'short', day: 'numeric' }), '3 Dec');
  setLocale('es');
  assert.deepEqual([9, 2, -1].map(relativeDay), ['dentro de 9 días', 'pasado mañana', 'ayer']);
  assert.equal(dayText(20_790), 'jueves, 3 de diciembre de 2026');
  setLocale('en');
});
