// What stands in a field that saves each letter: the library's text, unless what is typed is not in it. Pure.

import { excess } from '../sync/validation';
import { truncate, oneLine } from './text';

/** What was typed last, and whether it could be saved. */
export interface Typed {
  /** Of which record; what was typed for another one is over. */
  readonly id: string;
  readonly text: string;
  readonly isSaved: boolean;
}

/** What a text may be. */
interface Bounds {
  /** The greatest number of characters. */
  readonly limit: number;
  /** Never saved empty: the last text stays until there is another. */
  readonly isRequired?: boolean | undefined;
}

/** Takes a text as it was typed or pasted: one line, of so many characters at most. */
export function typedText(id: string, raw: string, { limit, isRequired }: Bounds): Typed {
  const text = truncate(oneLine(raw), limit);
  const isSaved = excess(text, limit) === null && !(isRequired && text.trim() === '');
  return { id, text, isSaved };
}

/**
 * Gives the text to show. Another device's edit is taken over, unless what is typed here is not saved:
 * that stands nowhere else.
 */
export function shownText(typed: Typed | null, id: string, value: string): string {
  if (typed?.id !== id) return value;
  return typed.isSaved && typed.text.trim() !== value.trim() ? value : typed.text;
}

/** Gives what is left of typing when the field is left: only what is too long waits to be shortened. */
export function typedAfterwards(typed: Typed | null, limit: number): Typed | null {
  return typed && excess(typed.text, limit) !== null ? typed : null;
}
