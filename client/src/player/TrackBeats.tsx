// Tells the beats of the tracks that are played, as soon as they are known. It shows nothing.

import { useEffect } from 'react';
import { longestTrackFrames, type KnownBeats } from '../audio/beats';
import type { PlayerPart } from '../audio/player';
import { useTrackGrid } from './useTrackGrid';

/** Takes the beats of a track; none if it has no counts. */
export type TakeBeats = (trackId: string, beats: NonNullable<ReturnType<KnownBeats['get']>>) => void;

/** Calls `onBeats` for each track of what is played, and again after each correction of its counts. */
export function TracksBeats({ playable, onBeats }: { playable: PlayerPart; onBeats: TakeBeats }): JSX.Element {
  const tracks = new Set((playable.run ?? [playable]).map(({ trackId }) => trackId));
  return <>{[...tracks].map((trackId) => <TrackBeats key={trackId} trackId={trackId} onBeats={onBeats} />)}</>;
}

function TrackBeats({ trackId, onBeats }: { trackId: string; onBeats: TakeBeats }): null {
  const grid = useTrackGrid(trackId);
  useEffect(() => {
    // The grid is closed when it is replaced, so its beats are taken at once.
    onBeats(trackId, grid?.beats(0, longestTrackFrames) ?? []);
  }, [grid, trackId, onBeats]);
  return null;
}
