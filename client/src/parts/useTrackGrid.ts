// The counts of a track: derived again when the analysis or a correction changes.

import { useEffect, useState } from 'react';
import { mediaAddress } from '../apiAddress';
import { loadCounts } from '../counts/countsModule';
import { Grid, type BeatAnalysis } from '../counts/grid';
import { likelyConfidence } from '../generated/counts';
import { useFromLibrary, useServices } from '../services/services';

/** Returns the beats that the analysis found; null while it is not known and if it found none. */
function useBeats(trackId: string): BeatAnalysis | null {
  const { library } = useServices();
  const [found, setFound] = useState<{ readonly trackId: string; readonly beats: BeatAnalysis | null } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const ask = async (): Promise<void> => {
      const response = await fetch(mediaAddress.analysis(trackId), { signal: controller.signal });
      // While the server computes it, the answer is 202; the end of its job asks again.
      if (response.status !== 200) return;
      const { beats } = await response.json() as { beats?: BeatAnalysis | null };
      setFound({ trackId, beats: beats ?? null });
    };
    const tryToAsk = (): void => void ask().catch((failure: unknown) => {
      // Without a network (a TypeError) counts are left out, as if there were none.
      if (!controller.signal.aborted && !(failure instanceof TypeError)) reportError(failure);
    });
    tryToAsk();
    const stop = library.onJob((job) => {
      if (job.track === trackId && job.state === 'done') tryToAsk();
    });
    return () => {
      controller.abort();
      stop();
    };
  }, [trackId, library]);
  return found?.trackId === trackId ? found.beats : null;
}

/**
 * Returns the grid of a track; null until it is known, and for a track without counts or with less
 * confidence than `least`. It is closed when it is replaced: keep it no longer than a render.
 */
export function useTrackGrid(trackId: string, least = likelyConfidence): Grid | null {
  const beats = useBeats(trackId);
  const corrections = useFromLibrary((library) => library.gridCorrections(trackId));
  const lengthFrames = useFromLibrary((library) => library.get('track', trackId)?.lengthFrames ?? 0);
  const isCounted = corrections.length > 0 || (beats !== null && beats.confidence >= least);
  const [grid, setGrid] = useState<Grid | null>(null);
  useEffect(() => {
    if (!isCounted) {
      setGrid(null);
      return undefined;
    }
    let isWanted = true;
    loadCounts()
      .then((module) => {
        if (isWanted) setGrid(new Grid(module, beats, lengthFrames, corrections));
      })
      .catch(reportError);
    return () => {
      isWanted = false;
    };
  }, [isCounted, beats, lengthFrames, corrections]);
  // After the render that shows the next one.
  useEffect(() => () => grid?.close(), [grid]);
  return grid;
}
