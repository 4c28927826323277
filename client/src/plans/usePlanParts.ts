// The parts of a routine as plans play them, with the eights at their borders.

import { useRun } from '../parts/useRun';
import { useRoutineCounts } from '../runThrough/useRoutineCounts';
import type { Part } from '../sync/records';
import type { PlayablePartOfPlan } from './ledSteps';

/** Returns the playable parts, in order; `loader` has to be rendered for their eights. */
export function usePlanParts(
  parts: readonly Part[],
): { readonly parts: readonly PlayablePartOfPlan[]; readonly loader: JSX.Element } {
  const run = useRun(parts[0]?.routine ?? '', parts);
  const { counts, loader } = useRoutineCounts(parts);
  const made = (run?.stretches ?? []).flatMap((stretch, at): PlayablePartOfPlan[] => {
    const index = run?.indices[at] ?? 0;
    const part = parts[index];
    const grid = counts.of(stretch.trackId, stretch)?.grid;
    // From the last frame: at the end of the song itself there are no counts any more.
    const last = grid?.movedByEights(stretch.endFrame - 1, -1) ?? null;
    return part ? [{
      id: part.id, index, stretch,
      lastEightStart: last === null ? null : last + 1,
      firstEightEnd: grid?.movedByEights(stretch.startFrame, 1) ?? null,
    }] : [];
  });
  return { parts: made, loader };
}
