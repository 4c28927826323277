// The tags of routines: read from their text, a line each, and written to it. Pure.

import type { Routine } from '../sync/records';
import { excess } from '../sync/validation';
import { folded, oneLine } from '../ui/text';

/** The most tags that a routine has. */
export const mostTags = 8;
/** The most characters of a tag. */
export const longestTag = 30;

type Tagged = Pick<Routine, 'tags'>;

/** Whether two tags are the same: neither case nor accents count. */
const isSame = (one: string, other: string): boolean => folded(one) === folded(other);

/** Returns the tags of a routine, as written. */
export function tagsOf({ tags }: Tagged): readonly string[] {
  const lines = (tags ?? '').split('\n').map((line) => line.trim()).filter((line) => line !== '');
  return lines.filter((tag, at) => lines.findIndex((other) => isSame(other, tag)) === at);
}

/** Returns the text of tags, or null for none. */
export function textOfTags(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : tags.join('\n');
}

/** Returns the tags with one more; null if it is empty, too long, there already, or one too many. */
export function withTag(tags: readonly string[], typed: string): readonly string[] | null {
  const tag = oneLine(typed).trim();
  if (tag === '' || excess(tag, longestTag) !== null || tags.length >= mostTags || hasTag(tags, tag)) return null;
  return [...tags, tag];
}

/** Whether a tag is among others. */
export function hasTag(tags: readonly string[], tag: string): boolean {
  return tags.some((other) => isSame(other, tag));
}

/** Returns the tags of all routines, each once as it was first written, by name. */
export function allTags(routines: readonly Tagged[]): readonly string[] {
  const found = new Map<string, string>();
  for (const tag of routines.flatMap(tagsOf)) if (!found.has(folded(tag))) found.set(folded(tag), tag);
  return [...found.values()].sort((one, other) => one.localeCompare(other, undefined, { numeric: true }));
}

/** Returns the tags that may be added, those first that begin with what is typed. */
export function suggestedTags(known: readonly string[], tags: readonly string[], typed: string): readonly string[] {
  const wanted = folded(typed.trim());
  const rank = (tag: string): number => (folded(tag).startsWith(wanted) ? 0 : 1);
  return known.filter((tag) => !hasTag(tags, tag) && folded(tag).includes(wanted))
    .sort((one, other) => rank(one) - rank(other)).slice(0, mostTags);
}
