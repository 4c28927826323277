// Mentions in a text that is being written, and in one that is read. Pure.

import { folded } from '../ui/text';

/** Somebody who can be mentioned. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** A mention that is being typed: where its @ is, and what follows. */
export interface Typed {
  readonly start: number;
  readonly end: number;
  readonly begun: string;
}

/** Returns the mention that the caret is in; null if it is in none. */
export function typedMention(text: string, caret: number): Typed | null {
  const start = text.lastIndexOf('@', caret - 1);
  // An address such as a@b is none.
  if (start < 0 || (start > 0 && !/[\s(¿¡"“«]/u.test(text[start - 1] ?? ''))) return null;
  const begun = text.slice(start + 1, caret);
  return begun.length > 60 || begun.includes('\n') ? null : { start, end: caret, begun };
}

/** Returns those whose name, or a word of it, begins with a text, ignoring case and accents. */
export function suggested<P extends Named>(people: readonly P[], begun: string): readonly P[] {
  const wanted = folded(begun);
  return people.filter(({ name }) => {
    const all = folded(name);
    return name !== '' && (all.startsWith(wanted) || all.split(/\s+/).some((word) => word.startsWith(wanted)));
  });
}

/** Returns the text with a person's name in place of a mention that is being typed, and the caret behind it. */
export function completed(text: string, { start, end }: Typed, name: string): { readonly text: string; readonly caret: number } {
  const written = `@${name} `;
  const rest = text.slice(end).replace(/^ /, '');
  return { text: text.slice(0, start) + written + rest, caret: start + written.length };
}

/** A piece of a text, with the person whom it mentions. */
export interface Piece {
  readonly text: string;
  readonly person: string | null;
}

/** Splits a text at the names of people with an @ in front; a longer name goes before a shorter one that it begins with. */
export function pieces(text: string, people: readonly Named[]): readonly Piece[] {
  const named = people.filter(({ name }) => name !== '').sort((a, b) => b.name.length - a.name.length);
  const made: Piece[] = [];
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const person = named.find(({ name }) => text.startsWith(name, at + 1) && !/^[\p{L}\p{N}]/u.test(text.slice(at + 1 + name.length)));
    if (!person || at < from) continue;
    if (at > from) made.push({ text: text.slice(from, at), person: null });
    from = at + 1 + person.name.length;
    made.push({ text: text.slice(at, from), person: person.id });
  }
  if (from < text.length) made.push({ text: text.slice(from), person: null });
  return made;
}

/** Returns the ids of the people whom a text names with an @ in front, each once. */
export const mentioned = (text: string, people: readonly Named[]): readonly string[] => (
  [...new Set(pieces(text, people).flatMap(({ person }) => (person === null ? [] : [person])))]
);
