// Input of a field: limited to a number of characters, without pushing existing text out at its
// end, or parsed as a number.

import { characterCount } from '../sync/validation';
import { truncate } from './text';

/** A text that is too long stays in its field, to be shortened; beyond this many times its limit it is cut. */
export const timesKept = 10;

/**
 * Returns `after`, the result of typing or pasting into `before` up to the caret, with as much of
 * the new text as fits. Pure.
 */
export function typedInto(before: string, after: string, caret: number, limit: number): string {
  if (after.length <= limit) return after;
  const behind = after.slice(caret);
  const tail = before.endsWith(behind) ? behind : '';
  const room = Math.max(0, limit - characterCount(tail));
  return truncate(after.slice(0, after.length - tail.length), room) + tail;
}

/** Applies this to a field that showed `before`; the caret stays after the accepted text. */
export function limitInput(field: HTMLInputElement | HTMLTextAreaElement, before: string, limit: number): string {
  const { value, selectionEnd } = field;
  const caret = selectionEnd ?? value.length;
  const text = typedInto(before, value, caret, limit);
  if (text !== value) {
    const end = caret - (value.length - text.length);
    field.value = text;
    field.setSelectionRange(end, end);
  }
  return text;
}

/**
 * Parses a whole number with or without a unit: "70 %"; null for anything else, including two
 * numbers as in "1.5". Pure.
 */
export function wholeNumber(text: string): number | null {
  const number = /^\s*([-−]?\d+)\s*[%\p{L}]*\s*$/u.exec(text)?.[1];
  return number === undefined ? null : Number(number.replace('−', '-'));
}
