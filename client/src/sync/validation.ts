// Validates fields like the server does, with sentences for what a user can type. The limits are those of the
// schema; tests/sync/model.test.ts compares the results with the server's.

import { fieldRules, requiredFields } from '../generated/records';
import type { FieldRule, WritableFields } from '../generated/records';
import { words } from '../words/words';
import type { FieldValues } from './wire';

export { limits } from '../generated/records';

type RecordType = keyof WritableFields;

/** Firefox has it since 125. Without it code points are counted, and the server decides. */
const segmenter = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter() : null;
const utf8 = new TextEncoder();

/** Code units that are segmented at once: with each segment, V8 takes a time that grows with the whole text. */
const window = 512;

/** Yields user-perceived characters: an emoji family is one. Where a character begins, segmentation can begin anew. */
function* segments(text: string): Generator<string> {
  if (!segmenter) {
    for (const point of text) yield point;
    return;
  }
  for (let start = 0, size = window; start < text.length;) {
    // A pair of surrogates stays whole, and the first half of a pair does not stand for the character that follows.
    const end = start + size + ((text.codePointAt(start + size - 1) ?? 0) > 0xffff ? 1 : 0);
    let known = 0;
    let last = '';
    for (const { segment, index } of segmenter.segment(text.slice(start, end))) {
      if (index > 0) yield last;
      known = index;
      last = segment;
    }
    if (end >= text.length) {
      yield last;
      return;
    }
    // The last one may be longer than what was seen of it.
    start += known;
    size = known === 0 ? 2 * size : window;
  }
}

/** Plain ASCII needs no segmentation, except that CR LF is one character. */
const plain = /^[\x20-\x7e]*$/;

/** Splits a text into user-perceived characters: an emoji family is one. */
export function characters(text: string): string[] {
  return Array.from(segments(text));
}

/** Counts user-perceived characters. */
export function characterCount(text: string): number {
  if (plain.test(text)) return text.length;
  let count = 0;
  for (const _ of segments(text)) count += 1;
  return count;
}

/** The maximum UTF-8 bytes per character: one character can have any number of combining marks. */
const bytesPerCharacter = 16;

/** Whether a text has more characters. Counts no further, as finding the ends of long ones takes time. */
function hasMoreCharacters(value: string, most: number): boolean {
  // No character is shorter than a code unit.
  if (value.length <= most) return false;
  if (plain.test(value)) return true;
  let count = 0;
  for (const _ of segments(value)) if ((count += 1) > most) return true;
  return false;
}

/** Returns a sentence that says why a text is too long, or null. */
export function excess(value: string, most: number): string | null {
  if (hasMoreCharacters(value, most)) return words.sync.atMost(most);
  if (utf8.encode(value).length <= bytesPerCharacter * most) return null;
  return words.sync.tooHeavy;
}

/**
 * Control characters: not allowed in one line; in several lines only line feed and tab are allowed.
 */
const control = /[\x00-\x1f\x7f-\x9f]/;
const controlInLines = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

/** A text of white space only, as Unicode defines it, counts as empty. */
const blank = /^\p{White_Space}*$/u;

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const position = /^[0-9A-Za-z]{0,999}[1-9A-Za-z]$/;
const colour = /^#[0-9a-f]{6}$/;

/** Returns what is wrong with a value, or null. What nobody can type gets no sentence of its own. */
function problem(rule: FieldRule, name: string, value: unknown): string | null {
  const invalid = `${name}: ${JSON.stringify(value)}`;
  switch (rule.kind) {
    case 'line':
      if (typeof value !== 'string') return invalid;
      if (rule.min > 0 && blank.test(value)) return words.sync.missing;
      if (control.test(value)) return words.sync.oneLine;
      return excess(value, rule.max);
    case 'lines':
      if (typeof value !== 'string') return invalid;
      if (rule.min && blank.test(value)) return words.sync.missing;
      return controlInLines.test(value) ? words.sync.plainText : excess(value, rule.max);
    case 'scalar':
      if (typeof value === 'string') return excess(value, rule.max);
      return typeof value === 'boolean' || Number.isFinite(value) ? null : invalid;
    case 'integer': return Number.isSafeInteger(value) && inRange(value, rule) ? null : invalid;
    case 'number': return inRange(value, rule) ? null : invalid;
    case 'oneOf': return rule.words.some((word) => word === value) ? null : invalid;
    case 'reference': return matches(id, value) ? null : invalid;
    case 'position': return matches(position, value) ? null : invalid;
    case 'colour': return matches(colour, value) ? null : invalid;
  }
}

const inRange = (value: unknown, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  typeof value === 'number' && value >= min && value <= max;

const matches = (form: RegExp, value: unknown): boolean => typeof value === 'string' && form.test(value);

const rulesOf = (type: RecordType): { readonly [field: string]: FieldRule | undefined } => fieldRules[type];

/** Returns a sentence about what is wrong with the fields of an edit, or null. */
export function validateFields(type: RecordType, fields: FieldValues | object): string | null {
  for (const [name, value] of Object.entries(fields)) {
    const rule = rulesOf(type)[name];
    if (!rule) return `${type}.${name}`;
    if (value === undefined) continue;
    if (value === null && !requiredFields[type].includes(name)) continue;
    const found = problem(rule, `${type}.${name}`, value ?? '');
    if (found) return found;
  }
  const { startFrame, endFrame } = fields as FieldValues;
  if (typeof startFrame === 'number' && typeof endFrame === 'number' && startFrame >= endFrame) {
    return `${type}: ${startFrame}–${endFrame}`;
  }
  return null;
}

/**
 * Returns a sentence about what is wrong with the fields of a new record, including missing ones,
 * or null.
 */
export function validateNew(type: RecordType, fields: FieldValues | object): string | null {
  const given = fields as FieldValues;
  const required = requiredFields[type].map((name) => [name, given[name] ?? null]);
  return validateFields(type, { ...given, ...Object.fromEntries(required) });
}
