// Steps of a border by a count or by an eight.

import { shortestStretchFrames } from '../timeline';
import type { CountStep, StepByCounts } from './stage/types';
import type { TrackCounts } from './useTrackCounts';
import type { Borders } from './useBorders';

/** The steps in the order of their buttons. */
export const countSteps: readonly CountStep[] = [
  { unit: 'eight', direction: -1 }, { unit: 'count', direction: -1 },
  { unit: 'count', direction: 1 }, { unit: 'eight', direction: 1 },
];

/** Makes the steps of a track; null without counts. Keep them no longer than a render. */
export function stepsBy(counts: TrackCounts | null, borders: Borders, lengthFrames: number): StepByCounts | null {
  if (!counts) return null;
  const { grid } = counts;
  const limits = (which: 'start' | 'end'): { minFrame: number; maxFrame: number } => {
    const { startFrame, endFrame } = borders.selection ?? { startFrame: 0, endFrame: lengthFrames };
    return borders.endOf(which) ?? (
      which === 'start'
        ? { minFrame: 0, maxFrame: endFrame - shortestStretchFrames }
        : { minFrame: startFrame + shortestStretchFrames, maxFrame: lengthFrames }
    );
  };
  return (which, frame, { unit, direction }) => {
    const to = unit === 'eight' ? grid.movedByEights(frame, direction) : grid.movedByCounts(frame, direction);
    const { minFrame, maxFrame } = which === 'border' ? { minFrame: 0, maxFrame: lengthFrames } : limits(which);
    return to === null || to < minFrame || to > maxFrame ? null : to;
  };
}
