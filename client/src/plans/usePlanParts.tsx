// The parts of a routine as plans play them, with the eights at their borders.

import { useCallback, useEffect, useMemo, useState } from 'react';
import type { PlayableStretch } from '../audio/player';
import { useRun } from '../parts/useRun';
import { useTrackGrid } from '../parts/useTrackGrid';
import type { Part } from '../sync/records';
import type { PlayablePartOfPlan } from './ledSteps';

/** The frames of a track at which a part's last eight begins and its first one ends; null without counts. */
type Edges = Pick<PlayablePartOfPlan, 'lastEightStart' | 'firstEightEnd'>;

const noEdges: Edges = { lastEightStart: null, firstEightEnd: null };

/** Returns the playable parts, in order; `edges` has to be rendered for their eights. */
export function usePlanParts(parts: readonly Part[]): { parts: readonly PlayablePartOfPlan[]; edges: JSX.Element } {
  const run = useRun(parts[0]?.routine ?? '', parts);
  const [known, setKnown] = useState<ReadonlyMap<string, Edges>>(new Map());
  const take = useCallback((key: string, found: Edges) => setKnown((before) => new Map(before).set(key, found)), []);
  const made = useMemo(() => (run?.stretches ?? []).flatMap((stretch, at): PlayablePartOfPlan[] => {
    const index = run?.indices[at] ?? 0;
    const part = parts[index];
    return part ? [{ id: part.id, index, stretch, ...known.get(keyOf(stretch)) ?? noEdges }] : [];
  }), [run, parts, known]);
  const tracks = [...new Set(run?.stretches.map(({ trackId }) => trackId))];
  return {
    parts: made,
    edges: (
      <>
        {tracks.map((trackId) => (
          <EdgesOfTrack
            key={trackId} trackId={trackId} stretches={run?.stretches ?? none} onEdges={take}
          />
        ))}
      </>
    ),
  };
}

const none: readonly PlayableStretch[] = [];

const keyOf = ({ trackId, startFrame, endFrame }: PlayableStretch): string => `${trackId} ${startFrame} ${endFrame}`;

function EdgesOfTrack({ trackId, stretches, onEdges }: {
  trackId: string; stretches: readonly PlayableStretch[]; onEdges: (key: string, edges: Edges) => void;
}): null {
  const grid = useTrackGrid(trackId);
  useEffect(() => {
    for (const stretch of stretches) {
      if (stretch.trackId !== trackId) continue;
      onEdges(keyOf(stretch), {
        lastEightStart: grid?.movedByEights(stretch.endFrame, -1) ?? null,
        firstEightEnd: grid?.movedByEights(stretch.startFrame, 1) ?? null,
      });
    }
  }, [grid, trackId, stretches, onEdges]);
  return null;
}
