// Playing the whole routine: its parts as one run, and the page that follows it.

import { useEffect, useMemo, useRef } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import type { PlayerPart, PlayableStretch } from '../audio/player';
import { placeInRun, runLength, startInRun } from '../audio/run';
import type { Part } from '../sync/records';
import { partAudio } from './partAudio';

/** The playable parts of a routine, in order. */
export interface Run {
  readonly playable: PlayerPart;
  readonly stretches: readonly PlayableStretch[];
  /** The part's index for each stretch. */
  readonly indices: readonly number[];
}

/** Makes the run of a routine; null if no part can be played. */
export function useRun(routineId: string, parts: readonly Part[]): Run | null {
  const key = useFromLibrary((library) => JSON.stringify(parts.flatMap((part, index) => {
    const audio = partAudio(part, part.track ? library.get('track', part.track) : undefined);
    if (audio.kind !== 'ready') return [];
    const { trackId, trackLengthFrames, startFrame, endFrame } = audio.playable;
    return [{ index, stretch: { partId: part.id, trackId, trackLengthFrames, startFrame, endFrame } }];
  })));
  return useMemo(() => {
    const found = JSON.parse(key) as { index: number; stretch: PlayableStretch }[];
    if (found.length === 0) return null;
    const stretches = found.map(({ stretch }) => stretch);
    const length = runLength(stretches);
    return {
      stretches,
      indices: found.map(({ index }) => index),
      playable: {
        id: `run ${routineId}`, trackId: `run ${key}`, trackLengthFrames: length, startFrame: 0,
        endFrame: length, run: stretches,
      },
    };
  }, [key, routineId]);
}

/** What a run-through plays: the whole routine under an id of its own. */
export const throughPlayable = (playable: PlayerPart, routineId: string): PlayerPart => ({ ...playable, id: `through ${routineId}` });

/** The frame of the run at which a part begins, or the next playable part. */
export function startOfPart(run: Run, index: number): number {
  const found = run.indices.findIndex((each) => each >= index);
  return startInRun(run.stretches, found < 0 ? 0 : found);
}

/** Makes the page follow the run, and the run follow a page that the user turned. */
export function useFollowRun(run: Run | null, index: number, onShow: (index: number) => void): void {
  const { player } = useServices();
  const followed = useRef(index);
  useEffect(() => {
    if (!run) return undefined;
    followed.current = index;
    return player.subscribe(() => {
      const { state, frame } = player.snapshot;
      if (state !== 'playing') return;
      const heard = run.indices[placeInRun(run.stretches, frame).index];
      if (heard === undefined || heard === followed.current) return;
      followed.current = heard;
      onShow(heard);
    });
    // Turns by the page itself are detected below.
  }, [run, player, onShow]);
  useEffect(() => {
    if (!run || index === followed.current) return;
    followed.current = index;
    player.seek(startOfPart(run, index));
  }, [run, index, player]);
}
