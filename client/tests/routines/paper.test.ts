import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usualPaper } from '../../src/routines/paper';

test('the paper size is that of the region', () => {
  for (const language of ['en-US', 'fr-CA', 'es-MX', 'en', 'es-Latn-CO']) assert.equal(usualPaper(language), 'letter', language);
  for (const language of ['en-GB', 'de', 'ja', 'ar', 'es', 'es-ES']) assert.equal(usualPaper(language), 'a4', language);
});

test('the paper size is A4 if the region is unknown', () => {
  for (const language of ['', 'no such language', 'C', 'x']) assert.equal(usualPaper(language), 'a4', language);
});
