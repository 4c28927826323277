// What is typed into a field: held to a number of characters, where what stood there before never falls out at its
// end, or read as a number.

import { characterCount } from '../sync/validation';
import { truncate } from './text';

/** Takes `after`, which was typed or pasted into `before` up to the caret: as much of it as there is room for. Pure. */
export function typedInto(before: string, after: string, caret: number, limit: number): string {
  if (after.length <= limit) return after;
  const behind = after.slice(caret);
  const tail = before.endsWith(behind) ? behind : '';
  const room = Math.max(0, limit - characterCount(tail));
  return truncate(after.slice(0, after.length - tail.length), room) + tail;
}

/** Does so with the field that shows `before`, in which the caret stays behind what was taken. */
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

/** Reads a whole number with its unit or without: "70 %"; null for all else, also for two numbers as in "1.5". Pure. */
export function wholeNumber(text: string): number | null {
  const number = /^\s*([-−]?\d+)\s*[%\p{L}]*\s*$/u.exec(text)?.[1];
  return number === undefined ? null : Number(number.replace('−', '-'));
}
