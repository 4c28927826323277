import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits, validateFields } from '../../src/sync/validation';
import { characterCount } from '../../src/sync/validation';
import { truncate, truncateToFit, folded, oneLine, plainLines, titleFromFileName } from '../../src/ui/text';

test('characters are grapheme clusters', () => {
  assert.equal(characterCount('👨‍👩‍👧‍👦'), 1);
  assert.equal(characterCount('e\u0301te\u0301'), 3);
});

test('a text is cut between characters, never inside a character', () => {
  assert.equal(truncate('ab👨‍👩‍👧‍👦cd', 3), 'ab👨‍👩‍👧‍👦');
  assert.equal(truncate('short', 60), 'short');
});

test('a search ignores case and accents', () => {
  assert.equal(folded('ÉTÉ à la Plage'), 'ete a la plage');
  assert.equal(folded('ﬁre'), 'fire');
  assert.equal(folded('Łukasz Ångström Yıldız'), 'lukasz angstrom yildiz');
  assert.equal(folded('Straße, Œuvre, Æsa Þór'), 'strasse, oeuvre, aesa thor');
  assert.equal(folded('O’Brien'), folded("o'brien"));
});

test('a part is named after its file, without folder, extension and underscores', () => {
  assert.equal(titleFromFileName('C:\\music\\01_Big  Finale.final.mp3'), 'Big Finale.final');
  assert.equal(titleFromFileName('/home/me/رقصة.flac'), 'رقصة');
  assert.equal(titleFromFileName('.mp3'), '.mp3');
  assert.equal(titleFromFileName('__.wav'), 'Untitled');
  assert.equal(titleFromFileName('No ending'), 'No ending');
  assert.equal(titleFromFileName('Swan\x01 Lake\x7f.mp3'), 'Swan Lake', 'what no name may hold');
  assert.equal(characterCount(titleFromFileName(`${'x'.repeat(300)}.wav`)), 120);
});

test('the number of a track is no part of its name, and a name that begins with a number is', () => {
  for (const [file, title] of [
    ['01 - Elf Land (Intro).ogg', 'Elf Land (Intro)'], ['01. Overture.mp3', 'Overture'], ['3) Duet.mp3', 'Duet'],
    ['12 – Finale.flac', 'Finale'], ['1-05 Swan.m4a', 'Swan'], ['07_Entry.wav', 'Entry'], ['02-Walk.wav', 'Walk'],
    ['003 Coda.mp3', 'Coda'], ['01 رقصة.mp3', 'رقصة'],
    ['7 Rings.mp3', '7 Rings'], ['99 Luftballons.mp3', '99 Luftballons'], ['3.14.mp3', '3.14'], ['1812 Overture.ogg', '1812 Overture'],
    ['20-20 Vision.mp3', '20-20 Vision'], ['50s Medley.mp3', '50s Medley'], ['01.mp3', '01'], ['007.mp3', '007'], ['2001.wav', '2001'],
  ] as const) assert.equal(titleFromFileName(file), title, file);
});

test('a pasted title becomes one line and pasted notes keep their lines', () => {
  assert.equal(oneLine('Walk\r\nin\tslowly\u0007'), 'Walk in slowly ');
  assert.equal(plainLines('Walk\r\nin\rslow\u0000ly\tnow'), 'Walk\nin\nslowly\tnow');
});

test('a text that is cut to the limit can be saved for any characters', () => {
  const family = '👨‍👩‍👧‍👦';
  assert.equal(truncateToFit('x'.repeat(70), 60), 'x'.repeat(60));
  assert.equal(truncateToFit(family.repeat(50), 60), family.repeat(38));
  assert.equal(truncateToFit(`a${'\u0301'.repeat(1_000)}`, 60), '');
  for (const text of [family.repeat(300), `${family.repeat(39)}abc`]) {
    assert.equal(validateFields('routine', { title: truncateToFit(text, limits.routine.title) }), null);
  }
});
