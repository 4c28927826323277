// The counts of a track, as the clipper shows them and snaps to them.

import { useMemo } from 'react';
import type { Beat, Grid } from '../counts/grid';
import { useLoadingTrackGrid, type TrackGrid } from '../parts/useTrackGrid';
import type { Track } from '../sync/records';
import type { Stretch } from '../timeline';
import { words } from '../words/words';
import type { CountFrames } from './model/snapping';

/** The counts of a track that has some. */
export interface TrackCounts {
  /** Keep it no longer than a render. */
  readonly grid: Grid;
  readonly beats: readonly Beat[];
  readonly frames: CountFrames;
}

/** The counts of a track, and whether they are still loading. */
export interface LoadingTrackCounts extends Pick<TrackGrid, 'isLoading' | 'askAgain'> {
  /** Null while they are loading, and for a track without. */
  readonly counts: TrackCounts | null;
}

/** Returns the counts of a track. */
export function useTrackCounts({ id, lengthFrames }: Track): LoadingTrackCounts {
  const { grid, isLoading, askAgain } = useLoadingTrackGrid(id);
  const counts = useMemo(() => {
    const beats = grid?.beats(0, lengthFrames ?? 0) ?? [];
    if (!grid || beats.length === 0) return null;
    const frames = {
      all: beats.map(({ frame }) => frame),
      eights: beats.filter(({ count }) => count === 1).map(({ frame }) => frame),
    };
    return { grid, beats, frames };
  }, [grid, lengthFrames]);
  return { counts, isLoading, askAgain };
}

/** Returns a length as in "4 × 8 + 2"; null without counts. */
export function lengthInCounts(counts: TrackCounts | null, { startFrame, endFrame }: Stretch): string | null {
  const length = counts?.grid.length(startFrame, endFrame) ?? null;
  return length && words.parts.countLength(length);
}
