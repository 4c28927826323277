// The text of a field that saves on every input: the library's text, unless the typed text is not
// saved. Pure.

import { excess } from '../sync/validation';
import { truncate, oneLine } from './text';
import { timesKept } from './typing';

/** The last input, and whether it could be saved. */
export interface Typed {
  /** The id of the record; input for another one is ignored. */
  readonly id: string;
  readonly text: string;
  readonly isSaved: boolean;
}

/** The limits of a text. */
interface Bounds {
  /** The maximum number of characters. */
  readonly limit: number;
  /** Never saved empty: the last text stays until a new one is typed. */
  readonly isRequired?: boolean | undefined;
}

/** Normalizes typed or pasted text: one line; a text that is too long is kept, and not saved. */
export function typedText(id: string, raw: string, { limit, isRequired }: Bounds): Typed {
  const text = truncate(oneLine(raw), limit * timesKept);
  const isSaved = excess(text, limit) === null && !(isRequired && text.trim() === '');
  return { id, text, isSaved };
}

/**
 * Returns the text to show. Another device's edit is taken over, unless the typed text is not
 * saved, since it exists nowhere else.
 */
export function shownText(typed: Typed | null, id: string, value: string): string {
  if (typed?.id !== id) return value;
  return typed.isSaved && typed.text.trim() !== value.trim() ? value : typed.text;
}

/**
 * Returns the input that remains after the field loses the focus: only a text that is too long
 * stays, to be shortened.
 */
export function typedAfterwards(typed: Typed | null, limit: number): Typed | null {
  return typed && excess(typed.text, limit) !== null ? typed : null;
}
