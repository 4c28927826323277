// What a step is called, on the screen and aloud, and why it is there. Pure.

import type { PlanStep, Reason } from '../practice/plan';
import type { Part } from '../sync/records';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';

type Titled = Pick<Part, 'id' | 'title'>;

/** The most characters of a part's name that are said: the speech program takes 130 in all. */
const longestSpoken = 40;

function titles(step: PlanStep, parts: readonly Titled[]): { first: string; last: string } {
  const title = (part: string): string => parts.find(({ id }) => id === part)?.title ?? lateWords.plans.missingPart;
  return { first: title(step.firstPart), last: title(step.lastPart) };
}

/** Returns a step's name: “Chorus”, “Bridge to Outro”, “Verse into Chorus”, “Run-through”. */
export function stepTitle(step: PlanStep, parts: readonly Titled[]): string {
  const said = lateWords.plans;
  const { first, last } = titles(step, parts);
  switch (step.kind) {
    case 'rest': return said.rest;
    case 'runThrough': return said.runThrough;
    case 'transition': return said.into(first, last);
    case 'warmUp': return step.firstPart === step.lastPart ? said.warmUp(first) : said.warmUp(said.to(first, last));
    case 'part':
    case 'chain': return step.firstPart === step.lastPart ? first : said.to(first, last);
  }
}

/** Returns how a step is done: “4 × · 70 → 85%”. */
export function stepDetail(step: PlanStep, extraPasses = 0): string {
  const said = lateWords.plans;
  if (step.kind === 'rest') return said.seconds(step.restSeconds);
  const passes = step.passes + extraPasses;
  const speed = speedOf(step);
  return passes === 1 ? speed : `${said.times(passes)} · ${speed}`;
}

function speedOf({ fromPercent, toPercent, passes }: PlanStep): string {
  return fromPercent === toPercent || passes < 2 ? percentText(fromPercent) : `${fromPercent} → ${percentText(toPercent)}`;
}

/** Returns the sentence that announces a step. */
export function spokenStep(step: PlanStep, parts: readonly Titled[]): string {
  const said = lateWords.plans;
  const short = parts.map(({ id, title }) => ({ id, title: Array.from(title).slice(0, longestSpoken).join('') }));
  const { passes, fromPercent, toPercent } = step;
  const speed = fromPercent === toPercent || passes < 2
    ? (fromPercent === 100 ? '' : said.spokenSpeed(fromPercent)) : said.spokenSpeeds(fromPercent, toPercent);
  const often = passes < 2 ? '' : said.spokenTimes(passes);
  return [stepTitle(step, short), [often, speed].filter((text) => text !== '').join(', ')].filter((text) => text !== '').join('. ');
}

/** Returns why a step is there. */
export function reasonText(reason: Reason): string {
  const said = lateWords.plans.reasons;
  switch (reason.kind) {
    case 'missed': return said.missed(reason.missed, reason.of);
    case 'notPractised': return said.notPractised(reason.days);
    case 'slow': return said.slow(percentText(reason.percent), percentText(reason.target));
    case 'performance': return said.performance(reason.days);
    default: return said[reason.kind];
  }
}
