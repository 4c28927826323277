// Text by user-perceived characters: counted by grapheme, compared without case and accents.

import { characters, excess } from '../sync/validation';
import { number } from '../words/format';
import { words } from '../words/words';

/** Truncates a text to `limit` characters, never inside one. */
export function truncate(text: string, limit: number): string {
  return text.length <= limit ? text : characters(text).slice(0, limit).join('');
}

/**
 * Truncates a text to `limit` characters, or earlier if those would be too many bytes to be saved.
 */
export function truncateToFit(text: string, limit: number): string {
  const cut = truncate(text, limit);
  if (excess(cut, limit) === null) return cut;
  const kept = characters(cut);
  while (excess(kept.join(''), limit) !== null) kept.pop();
  return kept.join('');
}

/** Makes a text a single line: a pasted line break becomes a space. */
export function oneLine(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ');
}

/** Removes control characters from a text, except line breaks and tabs. */
export function plainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}

/** Letters that no accent can be taken from, and apostrophes, as they are typed for short. */
const plain: { readonly [letter: string]: string | undefined } = {
  ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', '’': '\'', 'ʼ': '\'', '‘': '\'',
};

/** Folds case and accents away, so that "Été" is found by "ete", and "Łukasz O’Brien" by "lukasz o'brien". */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{Mn}+/gu, '').toLowerCase().replace(/[łøđðıßæœþ’ʼ‘]/gu, (letter) => plain[letter] ?? letter);
}

/** A track's number before its name: `01 `, `3. `, `12 - `, `1-05 `; not `7 Rings`, `3.14` or `99 Luftballons`. */
const trackNumber = /^(?:\d{1,3}\s?[-–—.)]\s+|\d-\d{2}\s*[-–—.)]?\s+|0\d\s?[-–—.)]?\s*(?=\P{N})|0\d\d\s)\s*(?=\S)/u;

/** Tidies a name that was made for a file: one line, without a track's number, with spaces for underscores. */
export function tidied(name: string): string {
  return oneLine(name).replace(/[_\s]+/g, ' ').trim().replace(trackNumber, '');
}

/**
 * Derives a song's or part's title from its file name: without folder, extension and track number,
 * spaces for underscores.
 */
export function titleFromFileName(fileName: string): string {
  const bare = fileName.replace(/^.*[/\\]/, '').replace(/(.)\.[^.]{1,5}$/, '$1');
  return truncateToFit(tidied(bare), 120).trim() || words.ui.untitled;
}

/** Formats the size of a file: `820 kB`, `4.5 MB`. */
export function fileSize(bytes: number): string {
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${number(value, value < 10 ? 1 : 0)} ${unit}`;
}
