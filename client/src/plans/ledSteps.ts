// The steps of a plan as the player plays them: which stretches, which loop, at which speeds. Pure.

import type { PlayableStretch, PlayerPart } from '../audio/player';
import { runLength, startInRun } from '../audio/run';
import type { LedSettings } from '../parts/led';
import type { Run } from '../parts/useRun';
import type { PlanStep } from '../practice/plan';
import { framesPerSecond } from '../timeline';

/** A part that can be played, in the routine's order. */
export interface PlayablePartOfPlan {
  readonly id: string;
  /** Its index among all parts of the routine. */
  readonly index: number;
  readonly stretch: PlayableStretch;
  /** The frame of the track at which its last eight begins; null without counts. */
  readonly lastEightStart: number | null;
  /** The frame of the track at which its first eight ends; null without counts. */
  readonly firstEightEnd: number | null;
}

/** What one step plays. */
export interface LedStep {
  readonly playable: PlayerPart;
  readonly run: Run;
  readonly settings: LedSettings;
}

/** Where a song has no counts, a join is heard for so long on either side. */
const plainSideFrames = 4 * framesPerSecond;

/**
 * Returns what a step plays, `extraPasses` more than it says; null if nothing of it can be played. `id` tells its
 * attempts apart.
 */
export function ledStep(
  step: PlanStep, parts: readonly PlayablePartOfPlan[], id: string, extraPasses = 0,
): LedStep | null {
  if (step.kind === 'rest') return null;
  const chosen = partsOf(step, parts);
  const [first] = chosen;
  if (!first || (step.kind === 'transition' && chosen.length < 2)) return null;
  const stretches = chosen.map(({ stretch }) => stretch);
  const endFrame = runLength(stretches);
  const run: Run = {
    stretches, indices: chosen.map(({ index }) => index),
    playable: {
      id, trackId: `led ${JSON.stringify(stretches)}`, trackLengthFrames: endFrame, startFrame: 0, endFrame, run: stretches,
    },
  };
  const passes = Math.max(1, step.passes + extraPasses);
  const isClimbing = step.toPercent !== step.fromPercent && step.stepPercent > 0 && passes > 1;
  const settings: LedSettings = {
    loopMode: 'whole', markerA: null, markerB: null, semitones: 0, percent: step.fromPercent, repeatLimit: passes,
    restSeconds: step.restSeconds,
    trainer: {
      from: step.fromPercent, to: step.toPercent, step: Math.max(1, step.stepPercent), every: isClimbing ? 1 : 0,
    },
    ...(step.kind === 'transition' && { loopMode: 'section' as const, ...join(chosen, stretches) }),
  };
  return { playable: run.playable, run, settings };
}

/** Returns the playable parts of a step. */
function partsOf(step: PlanStep, parts: readonly PlayablePartOfPlan[]): readonly PlayablePartOfPlan[] {
  if (step.kind === 'runThrough' && step.firstPart === '') return parts;
  const first = parts.findIndex(({ id }) => id === step.firstPart);
  const last = parts.findIndex(({ id }) => id === step.lastPart);
  return first < 0 || last < first ? [] : parts.slice(first, last + 1);
}

/** Returns the markers of an eight before the last part begins, and one after. */
function join(chosen: readonly PlayablePartOfPlan[], stretches: readonly PlayableStretch[]): { markerA: number; markerB: number } {
  const border = startInRun(stretches, chosen.length - 1);
  const before = chosen[chosen.length - 2];
  const after = chosen[chosen.length - 1];
  const lead = before ? sideFrames(before.stretch.endFrame, before.lastEightStart, before.stretch) : 0;
  const tail = after ? sideFrames(after.stretch.startFrame, after.firstEightEnd, after.stretch) : 0;
  return { markerA: border - lead, markerB: border + tail };
}

function sideFrames(border: number, eight: number | null, { startFrame, endFrame }: PlayableStretch): number {
  const wanted = eight === null ? plainSideFrames : Math.abs(border - eight);
  return Math.min(wanted, endFrame - startFrame);
}

/** Returns how many passes a step has in all. */
export function passesOf({ settings }: Pick<LedStep, 'settings'>): number {
  return settings.repeatLimit;
}
