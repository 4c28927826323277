// What a run-through was, in a line.

import { parseCovered, parseMisses } from '../practice/misses';
import type { PracticeExports } from '../generated/practice';
import type { Part, RunThrough } from '../sync/records';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { heardParts } from './places';

/** Writes which parts were played, how fast, and how much was missed, as in "Parts 1–3 · 100% · 2 misses". */
export function runSummary(run: RunThrough, parts: readonly Part[], practice: PracticeExports): string {
  const said = lateWords.runThrough;
  const heard = heardParts(parts.map(({ id }) => id), parseCovered(practice, run.covered ?? ''));
  return [
    ...(heard === null ? [] : [heard.first === heard.last ? said.part(heard.first + 1) : said.parts(heard.first + 1, heard.last + 1)]),
    percentText(run.percent ?? 100),
    said.misses(parseMisses(practice, run.misses ?? '').length),
  ].join(' · ');
}
