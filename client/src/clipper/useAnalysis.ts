// The server's analysis of a song: attacks to snap to, and suggested cuts where the music changes.

import { useEffect, useState } from 'react';
import { mediaAddress } from '../apiAddress';
import { useServices } from '../services/services';
import { lateWords } from '../words/lateWords';
import type { StageGuess } from './stage/types';

/** The state of a track's analysis. */
export type Analysis =
  | { readonly state: 'none' }
  | { readonly state: 'waiting'; readonly progress: number }
  | { readonly state: 'ready'; readonly attacks: readonly number[]; readonly changes: readonly StageGuess[] }
  | { readonly state: 'failed'; readonly sentence: string };

const askAgainMilliseconds = 2_000;

/** Fetches the analysis on demand, and waits while the server computes it. */
export function useAnalysis(trackId: string, isWanted: boolean): Analysis {
  const { library } = useServices();
  const [analysis, setAnalysis] = useState<Analysis>({ state: 'none' });

  useEffect(() => {
    if (!isWanted) return undefined;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let job = '';
    const ask = async (): Promise<void> => {
      clearTimeout(timer);
      // Not `ask`: the browser and the service worker may cache this answer.
      const response = await fetch(mediaAddress.analysis(trackId), { signal: controller.signal });
      if (response.status === 202) {
        ({ job } = await response.json() as { job: string });
        setAnalysis((before) => (before.state === 'waiting' ? before : { state: 'waiting', progress: 0 }));
        clearTimeout(timer);
        timer = setTimeout(again, askAgainMilliseconds);
      } else if (response.ok) {
        const found = await response.json() as { attacks: number[]; changes: StageGuess[] };
        setAnalysis({ state: 'ready', attacks: found.attacks, changes: found.changes });
      } else {
        setAnalysis({ state: 'failed', sentence: lateWords.clipper.analysisFailed });
      }
    };
    const again = (): void => {
      ask().catch(() => {
        if (controller.signal.aborted) return;
        setAnalysis({ state: 'failed', sentence: lateWords.clipper.analysisOffline });
      });
    };
    setAnalysis({ state: 'waiting', progress: 0 });
    again();
    const stop = library.onJob((heard) => {
      if (heard.id !== job) return;
      if (heard.state === 'failed') {
        controller.abort();
        clearTimeout(timer);
        setAnalysis({ state: 'failed', sentence: heard.message ?? lateWords.clipper.analysisFailed });
      } else if (heard.state === 'running') setAnalysis({ state: 'waiting', progress: heard.progress });
      else if (heard.state === 'done') again();
    });
    return () => {
      controller.abort();
      clearTimeout(timer);
      stop();
    };
  }, [trackId, isWanted, library]);

  return analysis;
}
