// The appearance of move types: their colours, and the abbreviation proposed from a name. Each
// colour has a contrast of at least 3 to 1 with every background of both themes.

import { limits } from '../sync/validation';
import { truncate, truncateToFit } from './text';

/** The palette, in the order of the rainbow; `lateWords.ui.colours` has the names to show. */
export const moveColours = [
  { value: '#df453a', name: 'red' },
  { value: '#cb5b10', name: 'orange' },
  { value: '#a5730d', name: 'amber' },
  { value: '#768112', name: 'olive' },
  { value: '#248f36', name: 'green' },
  { value: '#148a7b', name: 'teal' },
  { value: '#1584bc', name: 'sky' },
  { value: '#3f76e4', name: 'blue' },
  { value: '#8863de', name: 'violet' },
  { value: '#b451cd', name: 'purple' },
  { value: '#d74291', name: 'pink' },
  { value: '#877882', name: 'grey' },
] as const;

/** Proposes the least used colour, the first in the palette if several are equal. */
export function nextMoveColour(used: readonly (string | null | undefined)[]): string {
  const uses = (value: string): number => used.filter((colour) => colour === value).length;
  const [first] = [...moveColours].sort((one, other) => uses(one.value) - uses(other.value));
  return first?.value ?? '';
}

/** Between words: white space, punctuation and signs; an apostrophe stands within a word. */
const betweenWords = /[\s\p{P}\p{Sm}\p{Sc}\p{Sk}]+/u;

/** Proposes an abbreviation: the first letters of two words, or the first two of one. */
export function proposedAbbreviation(name: string): string {
  const [first = '', second] = name.replace(/['’]/g, '').split(betweenWords).filter((word) => word !== '');
  const letters = second === undefined ? truncate(first, 2) : truncate(first, 1) + truncate(second, 1);
  // Some letters become several in upper case.
  return truncateToFit(letters.toLocaleUpperCase(), limits.moveType.abbreviation);
}

/** Returns the short name of a type, for narrow places. */
export function shortName(type: { readonly name: string; readonly abbreviation?: string | null }): string {
  return type.abbreviation || truncate(type.name, 2);
}
