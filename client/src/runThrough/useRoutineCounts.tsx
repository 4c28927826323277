// The counts of all songs of a routine, not only of what is played.

import { useEffect, useState, useSyncExternalStore } from 'react';
import { PlayedCounts } from '../audio/playedCounts';
import { useTrackGrid } from '../parts/useTrackGrid';
import type { Part } from '../sync/records';

/** Returns the counts, and what must be rendered to know them. */
export function useRoutineCounts(parts: readonly Part[]): { readonly counts: PlayedCounts; readonly loader: JSX.Element } {
  const [counts] = useState(() => new PlayedCounts());
  useSyncExternalStore(counts.subscribe, () => counts.version);
  const tracks = new Set(parts.flatMap(({ track }) => (track ? [track] : [])));
  return { counts, loader: <>{[...tracks].map((trackId) => <SongCounts key={trackId} trackId={trackId} counts={counts} />)}</> };
}

function SongCounts({ trackId, counts }: { trackId: string; counts: PlayedCounts }): null {
  const grid = useTrackGrid(trackId);
  useEffect(() => {
    counts.setGrid(trackId, grid);
    // It is closed when it is replaced.
    return () => counts.setGrid(trackId, null);
  }, [grid, trackId, counts]);
  return null;
}
