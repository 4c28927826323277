// The counts of a track: derived again when the analysis or a correction changes.

import { useCallback, useEffect, useState } from 'react';
import { mediaAddress } from '../apiAddress';
import { loadCounts } from '../counts/countsModule';
import { Grid, type BeatAnalysis } from '../counts/grid';
import { likelyConfidence } from '../generated/counts';
import { useFromLibrary, useServices } from '../services/services';

/** What is known of a track's beats: null while nothing is, and `beats` null if the analysis found none. */
interface Answer {
  readonly trackId: string;
  readonly beats: BeatAnalysis | null;
}

/** Returns what is known of the beats of a track, and what asks again. */
function useBeats(trackId: string): readonly [answer: Answer | null, askAgain: () => void] {
  const { library } = useServices();
  const [found, setFound] = useState<Answer | null>(null);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    // What was found before stays.
    const giveUp = (): void => {
      if (!controller.signal.aborted) {
        setFound((before) => (before?.trackId === trackId ? before : { trackId, beats: null }));
      }
    };
    const ask = async (): Promise<void> => {
      const response = await fetch(mediaAddress.analysis(trackId), { signal: controller.signal });
      // While the server computes it, the answer is 202; the end of its job asks again.
      if (response.status === 202) return;
      if (response.status !== 200) return giveUp();
      const { beats } = await response.json() as { beats?: BeatAnalysis | null };
      setFound({ trackId, beats: beats ?? null });
    };
    const tryToAsk = (): void => void ask().catch((failure: unknown) => {
      giveUp();
      // Without a network (a TypeError) counts are left out, as if there were none.
      if (!controller.signal.aborted && !(failure instanceof TypeError)) reportError(failure);
    });
    tryToAsk();
    const stop = library.onJob((job) => {
      if (job.track !== trackId) return;
      if (job.state === 'done') tryToAsk();
      if (job.state === 'failed') giveUp();
    });
    return () => {
      controller.abort();
      stop();
    };
  }, [trackId, library, asked]);
  const askAgain = useCallback(() => setAsked((before) => before + 1), []);
  return [found?.trackId === trackId ? found : null, askAgain];
}

/** The grid of a track, and whether that is all there is to know. */
export interface TrackGrid {
  /** Null for a track without counts, and while they are loading. Keep it no longer than a render. */
  readonly grid: Grid | null;
  /** Whether it is not known yet if the track has counts, or `grid` is not made of the analysis yet. */
  readonly isLoading: boolean;
  /** Asks for the analysis again, for example when it is known to be ready. */
  readonly askAgain: () => void;
}

/** Returns the grid of a track, if its confidence is at least `least` or a person corrected it. */
export function useLoadingTrackGrid(trackId: string, least = likelyConfidence): TrackGrid {
  const [answer, askAgain] = useBeats(trackId);
  const beats = answer?.beats ?? null;
  const corrections = useFromLibrary((library) => library.gridCorrections(trackId));
  const lengthFrames = useFromLibrary((library) => library.get('track', trackId)?.lengthFrames ?? 0);
  const isCounted = corrections.length > 0 || (beats !== null && beats.confidence >= least);
  const [built, setBuilt] = useState<Answer & { readonly grid: Grid | null } | null>(null);
  useEffect(() => {
    if (!isCounted) {
      setBuilt(null);
      return undefined;
    }
    let isWanted = true;
    loadCounts()
      .then((module) => {
        if (isWanted) setBuilt({ trackId, beats, grid: new Grid(module, beats, lengthFrames, corrections) });
      })
      .catch((failure: unknown) => {
        if (isWanted) setBuilt({ trackId, beats, grid: null });
        if (!(failure instanceof TypeError)) reportError(failure);
      });
    return () => {
      isWanted = false;
    };
  }, [isCounted, trackId, beats, lengthFrames, corrections]);
  const grid = built?.grid ?? null;
  // After the render that shows the next one.
  useEffect(() => () => grid?.close(), [grid]);
  const isBuilt = built !== null && built.trackId === trackId && built.beats === beats;
  return { grid, isLoading: answer === null || (isCounted && !isBuilt), askAgain };
}

/**
 * Returns the grid of a track; null until it is known, and for a track without counts or with less
 * confidence than `least`. It is closed when it is replaced: keep it no longer than a render.
 */
export function useTrackGrid(trackId: string, least = likelyConfidence): Grid | null {
  return useLoadingTrackGrid(trackId, least).grid;
}
