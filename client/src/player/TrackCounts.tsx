// Tells the counts of the tracks that are played, as soon as they are known. It shows nothing.

import { useEffect } from 'react';
import { longestTrackFrames, type KnownBeats } from '../audio/beats';
import type { PlayerPart } from '../audio/player';
import { useTrackGrid } from '../parts/useTrackGrid';
import { useServices } from '../services/services';

/** Takes the beats of a track; none if it has no counts. */
export type TakeBeats = (trackId: string, beats: NonNullable<ReturnType<KnownBeats['get']>>) => void;

/** Gives `PlayedCounts` the grid of each track of what is played, and calls `onBeats`; again after each correction. */
export function TracksCounts({ playable, onBeats }: { playable: PlayerPart; onBeats: TakeBeats }): JSX.Element {
  const tracks = new Set((playable.run ?? [playable]).map(({ trackId }) => trackId));
  return <>{[...tracks].map((trackId) => <TrackCounts key={trackId} trackId={trackId} onBeats={onBeats} />)}</>;
}

function TrackCounts({ trackId, onBeats }: { trackId: string; onBeats: TakeBeats }): null {
  const { counts } = useServices();
  const grid = useTrackGrid(trackId);
  useEffect(() => {
    onBeats(trackId, grid?.beats(0, longestTrackFrames) ?? []);
    counts.setGrid(trackId, grid);
    // It is closed when it is replaced.
    return () => counts.setGrid(trackId, null);
  }, [grid, trackId, onBeats, counts]);
  return null;
}
