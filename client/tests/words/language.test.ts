import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, listText, number, percentText, setLocale } from '../../src/words/format';
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
