// Steps of a session, and how a saved plan writes them. Sources/Practice reads and proposes them.

import { reasonKinds, stepKinds } from '../generated/practice';
import type { PracticeExports, ReasonKind, StepKind } from '../generated/practice';
import { withPractice } from './memory';
import { addParts, type PracticePart } from './parts';

export type { ReasonKind, StepKind };

/** A step. `firstPart` and `lastPart` are ids, '' of a rest; a rest lasts `restSeconds`, which else lie between passes. */
export interface PlanStep {
  readonly kind: StepKind;
  readonly firstPart: string;
  readonly lastPart: string;
  readonly passes: number;
  /** In percent of the original speed. */
  readonly fromPercent: number;
  readonly toPercent: number;
  readonly stepPercent: number;
  readonly restSeconds: number;
}

/** Why a step is there. */
export type Reason =
  | { readonly kind: 'new' | 'warmUp' | 'join' | 'keep' | 'check' | 'rest' }
  /** Missed in `missed` of the last `of` run-throughs. */
  | { readonly kind: 'missed'; readonly missed: number; readonly of: number }
  | { readonly kind: 'notPractised' | 'performance'; readonly days: number }
  /** `percent` of `target` percent are reached; 0 if no whole pass was heard. */
  | { readonly kind: 'slow'; readonly percent: number; readonly target: number };

/** A step of a proposed session. */
export interface Step extends PlanStep {
  readonly expectedSeconds: number;
  readonly reason: Reason;
}

/** The numbers of a proposed step. */
export const numbersOfProposal = 12;
/** Those of a step alone. */
export const numbersOfStep = 8;

/** Makes a step of the module's numbers; parts are indices there. */
export function stepFrom(numbers: readonly number[], parts: readonly PracticePart[]): PlanStep {
  const [kind = 0, first = -1, last = -1, passes = 1, fromPercent = 100, toPercent = 100, stepPercent = 0, restSeconds = 0] = numbers;
  return {
    kind: stepKinds[kind] ?? 'rest', firstPart: parts[first]?.id ?? '', lastPart: parts[last]?.id ?? '', passes,
    fromPercent, toPercent, stepPercent, restSeconds,
  };
}

/** Makes a reason of the module's numbers. */
export function reasonFrom([kind = 0, first = 0, second = 0]: readonly number[]): Reason {
  const name = reasonKinds[kind] ?? 'keep';
  if (name === 'missed') return { kind: name, missed: first, of: second };
  if (name === 'slow') return { kind: name, percent: first, target: second };
  if (name === 'notPractised' || name === 'performance') return { kind: name, days: first };
  return { kind: name };
}

/** Reads the steps of a saved plan; a line that is none is left out. */
export function parsePlan(exports: PracticeExports, text: string): PlanStep[] {
  return withPractice(exports, (memory) => {
    const { address, bytes } = memory.text(text);
    exports.practice_read_plan(memory.handle, address, bytes);
    const read = memory.answer();
    return read === '' ? [] : read.split('\n').map((line) => {
      const [kind, first = '-', last = '-', ...numbers] = line.split(' ');
      const [passes = 1, fromPercent = 100, toPercent = 100, stepPercent = 0, restSeconds = 0] = numbers.map(Number);
      return {
        kind: stepKinds.find((name) => name === kind) ?? 'rest', firstPart: first === '-' ? '' : first,
        lastPart: last === '-' ? '' : last, passes, fromPercent, toPercent, stepPercent, restSeconds,
      };
    });
  });
}

/** Returns the lines of a saved plan, with numbers as a plan can hold them. */
export function printPlan(exports: PracticeExports, steps: readonly PlanStep[]): string {
  const lines = steps.map((step) => [
    step.kind, step.firstPart || '-', step.lastPart || '-', step.passes, step.fromPercent, step.toPercent,
    step.stepPercent, step.restSeconds,
  ].join(' '));
  return withPractice(exports, (memory) => {
    const { address, bytes } = memory.text(lines.join('\n'));
    exports.practice_read_plan(memory.handle, address, bytes);
    return memory.answer();
  });
}

/** Returns the seconds that a step takes, with its announcement and its rests. */
export function expectedSeconds(exports: PracticeExports, step: PlanStep, parts: readonly PracticePart[]): number {
  return withPractice(exports, (memory) => {
    const known = addParts(memory, parts);
    exports.practice_derive(memory.handle, 0, 0);
    const [first, last] = [step.firstPart, step.lastPart].map((id) => known.findIndex((part) => part.id === id));
    return exports.practice_step_seconds(
      memory.handle, stepKinds.indexOf(step.kind), first ?? -1, last ?? -1, step.passes, step.fromPercent,
      step.toPercent, step.stepPercent, step.restSeconds,
    );
  });
}

/** Returns the speed of a pass, counted from 0, in percent of the original. */
export function percentOfPass(step: PlanStep, pass: number): number {
  return Math.min(step.fromPercent + step.stepPercent * pass, step.toPercent);
}
