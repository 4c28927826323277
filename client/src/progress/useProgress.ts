// The progress of a routine: derived from the practice log by the arithmetic of practice, and again when either changes.

import { useEffect, useMemo, useState } from 'react';
import type { PracticeExports } from '../generated/practice';
import { partAudio } from '../parts/partAudio';
import { targetPercent } from '../parts/targetSpeed';
import { PracticeHistory, type PartProgress } from '../practice/history';
import { loadPractice } from '../practice/practiceModule';
import { useFromLibrary, useServices } from '../services/services';
import type { LocalLibrary } from '../sync/library';
import type { PracticeEntry, RunThrough } from '../sync/records';
import type { Week } from './weekBars';

/** What was practised of a routine. */
export interface RoutineProgress {
  /** By the part's id. */
  readonly parts: ReadonlyMap<string, PartProgress>;
  /** The weeks with practice. */
  readonly weeks: readonly Week[];
}

/** The progress, or how far its loading has got. */
export type Progress =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly retry: () => void }
  | { readonly state: 'ready'; readonly progress: RoutineProgress };

/** Opens the practice log and returns the progress of a routine. */
export function useProgress(routineId: string, today: number): Progress {
  const { library } = useServices();
  const [module, setModule] = useState<PracticeExports | 'failed' | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isHere = true;
    Promise.all([loadPractice(), library.openLog()]).then(
      ([exports]) => isHere && setModule(exports),
      () => isHere && setModule('failed'),
    );
    return () => {
      isHere = false;
    };
  }, [library, attempt]);
  const parts = useFromLibrary((current) => current.parts(routineId));
  const tracks = useFromLibrary((current) => current.all('track'));
  const entries = useFromLibrary((current) => current.all('practiceEntry'));
  const runs = useFromLibrary((current) => current.all('runThrough'));
  const isReady = module !== null && module !== 'failed';
  const progress = useMemo(
    () => (isReady ? derive(module, library, routineId, { entries, runs }) : null),
    // The parts and the tracks are read there; the day decides what is this week.
    [isReady, module, library, routineId, entries, runs, parts, tracks, today],
  );
  if (progress) return { state: 'ready', progress };
  if (module !== 'failed') return { state: 'loading' };
  return {
    state: 'failed',
    retry: () => {
      setModule(null);
      setAttempt(attempt + 1);
    },
  };
}

function derive(
  module: PracticeExports, library: LocalLibrary, routineId: string,
  log: { readonly entries: readonly PracticeEntry[]; readonly runs: readonly RunThrough[] },
): RoutineProgress {
  const isOfRoutine = ({ routine }: { readonly routine: string }): boolean => routine === routineId;
  const parts = library.parts(routineId).map((part) => {
    const audio = partAudio(part, part.track ? library.get('track', part.track) : undefined);
    const { startFrame, endFrame } = audio.kind === 'ready' ? audio.bounds : { startFrame: 0, endFrame: 0 };
    return {
      id: part.id, startFrame, endFrame, targetRate: targetPercent(part) / 100, hasAudio: audio.kind === 'ready', moves: [],
    };
  });
  const now = new Date();
  const history = new PracticeHistory(module, {
    parts,
    entries: log.entries.filter(isOfRoutine).map(({ startedAt, utcOffset, heard }) => ({
      startedAt, utcOffset: utcOffset ?? 0, heard: heard ?? '',
    })),
    runs: log.runs.filter(isOfRoutine).map(({ startedAt, utcOffset, percent, covered, misses }) => ({
      startedAt, utcOffset: utcOffset ?? 0, percent: percent ?? 100, covered: covered ?? '', misses: misses ?? '',
    })),
    now: now.getTime(), utcOffset: -now.getTimezoneOffset(),
  });
  try {
    const found = parts.flatMap(({ id }) => {
      const progress = history.progressOf(id);
      return progress ? [[id, progress] as const] : [];
    });
    return { parts: new Map(found), weeks: history.weeks() };
  } finally {
    history.close();
  }
}
