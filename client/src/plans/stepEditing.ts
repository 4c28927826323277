// Changes of a plan's steps. Pure.

import type { PlanStep, Step, StepKind } from '../practice/plan';
import type { Part } from '../sync/records';

type Placed = Pick<Part, 'id'>;

/** Returns a step without its reason and its length, which belong to a proposal. */
export function plainStep({ kind, firstPart, lastPart, passes, fromPercent, toPercent, stepPercent, restSeconds }: PlanStep | Step): PlanStep {
  return { kind, firstPart, lastPart, passes, fromPercent, toPercent, stepPercent, restSeconds };
}

/** Returns the step that is added: the first part, twice. */
export function newStep(parts: readonly Placed[]): PlanStep {
  const id = parts[0]?.id ?? '';
  return { kind: 'part', firstPart: id, lastPart: id, passes: 2, fromPercent: 100, toPercent: 100, stepPercent: 5, restSeconds: 0 };
}

/** Returns the steps with one moved up or down. */
export function withMoved<S>(steps: readonly S[], at: number, by: -1 | 1): S[] {
  const moved = [...steps];
  const to = at + by;
  const [step] = moved.splice(at, 1);
  if (step !== undefined) moved.splice(Math.max(0, Math.min(to, moved.length)), 0, step);
  return moved;
}

/** Returns a step of another kind, with the parts and the lengths that this kind needs. */
export function ofKind(step: PlanStep, kind: StepKind, parts: readonly Placed[]): PlanStep {
  const first = parts[0]?.id ?? '';
  const last = parts[parts.length - 1]?.id ?? '';
  const firstPart = step.firstPart === '' ? first : step.firstPart;
  switch (kind) {
    case 'rest':
      return { ...step, kind, firstPart: '', lastPart: '', passes: 1, restSeconds: step.restSeconds || 30 };
    case 'runThrough':
      return { ...step, kind, firstPart: first, lastPart: last, passes: 1, fromPercent: 100, toPercent: 100, restSeconds: 0 };
    case 'transition': {
      const at = Math.max(0, Math.min(parts.findIndex(({ id }) => id === firstPart), parts.length - 2));
      return { ...step, kind, firstPart: parts[at]?.id ?? '', lastPart: parts[at + 1]?.id ?? '', restSeconds: 0 };
    }
    case 'chain':
      return { ...step, kind, firstPart, lastPart: last, restSeconds: 0 };
    default:
      return { ...step, kind, firstPart, lastPart: firstPart, restSeconds: 0 };
  }
}

/** Returns a step with another first part; what follows from it changes along. */
export function withFirstPart(step: PlanStep, firstPart: string, parts: readonly Placed[]): PlanStep {
  const at = parts.findIndex(({ id }) => id === firstPart);
  const last = parts.findIndex(({ id }) => id === step.lastPart);
  switch (step.kind) {
    case 'transition': return { ...step, firstPart, lastPart: parts[at + 1]?.id ?? firstPart };
    case 'chain':
    case 'warmUp':
    case 'runThrough': return { ...step, firstPart, lastPart: last < at ? firstPart : step.lastPart };
    default: return { ...step, firstPart, lastPart: firstPart };
  }
}
