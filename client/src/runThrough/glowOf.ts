// From the weakness of parts and moves to what glows, and how much.

import type { Weakness } from '../parts/weakness';
import type { PracticeHistory } from '../practice/history';
import type { PracticePart } from '../practice/parts';
import { lateWords } from '../words/lateWords';

/** From these on there are one, two and three dots; below the first nothing glows. */
const levels = [0.2, 0.45, 0.7] as const;

/** Returns how a weakness is shown; null if it is too small. `missed` is null where it is not counted. */
export function shownWeakness(
  weakness: number | null, missed: { readonly missed: number; readonly of: number } | null,
): Weakness | null {
  const level = levels.filter((least) => (weakness ?? 0) >= least).length;
  if (weakness === null || level === 0) return null;
  const said = lateWords.runThrough;
  return {
    // In steps: a glow that changes a little is not drawn again.
    strength: Math.round(weakness * 20) / 20, level,
    text: missed && missed.missed > 0 ? said.weak(missed.missed, missed.of) : said.weakAlone,
  };
}

/** Returns what glows of some parts and their moves, by id. */
export function glowOf(
  history: Pick<PracticeHistory, 'weaknessOfPart' | 'weaknessOfMove' | 'progressOf' | 'missesOfMove'>, parts: readonly PracticePart[],
): Map<string, Weakness> {
  const glow = new Map<string, Weakness>();
  const add = (id: string, shown: Weakness | null): void => {
    if (shown) glow.set(id, shown);
  };
  for (const { id, moves } of parts) {
    const progress = history.progressOf(id);
    add(id, shownWeakness(history.weaknessOfPart(id), progress && { missed: progress.missed, of: progress.missable }));
    for (const move of moves) add(move.id, shownWeakness(history.weaknessOfMove(move.id), history.missesOfMove(move.id)));
  }
  return glow;
}

/** Returns what glows now, with the same objects where nothing has changed: those are not rendered again. */
export function keptGlow(before: ReadonlyMap<string, Weakness>, next: ReadonlyMap<string, Weakness>): Map<string, Weakness> {
  return new Map([...next].map(([id, now]) => {
    const old = before.get(id);
    return [id, old?.strength === now.strength && old.text === now.text ? old : now];
  }));
}
