// The progress of a routine: derived from the practice log by the arithmetic of practice, and again when either changes.

import { useEffect, useMemo, useState } from 'react';
import type { PracticeExports } from '../generated/practice';
import { partAudio } from '../parts/partAudio';
import { targetPercent } from '../parts/targetSpeed';
import type { PartProgress, PracticeHistory } from '../practice/history';
import type { PracticePart } from '../practice/parts';
import { loadPractice } from '../practice/practiceModule';
import { useHistory, useRoutineLog } from '../runThrough/useHistory';
import { useFromLibrary, useServices } from '../services/services';
import type { LocalLibrary } from '../sync/library';
import type { Part } from '../sync/records';
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
  // The tracks are read there.
  const practised = useMemo(() => parts.map((part) => partOf(library, part)), [library, parts, tracks]);
  const log = useRoutineLog(routineId);
  // The day decides what is this week.
  const history = useHistory(module === 'failed' ? null : module, practised, log, today);
  const progress = useMemo(() => history && progressOf(history), [history]);
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

function partOf(library: LocalLibrary, part: Part): PracticePart {
  const audio = partAudio(part, part.track ? library.get('track', part.track) : undefined);
  const { startFrame, endFrame } = audio.kind === 'ready' ? audio.bounds : { startFrame: 0, endFrame: 0 };
  return {
    id: part.id, startFrame, endFrame, targetRate: targetPercent(part) / 100, hasAudio: audio.kind === 'ready', moves: [],
  };
}

function progressOf(history: PracticeHistory): RoutineProgress {
  const found = history.parts.flatMap(({ id }) => {
    const progress = history.progressOf(id);
    return progress ? [[id, progress] as const] : [];
  });
  return { parts: new Map(found), weeks: history.weeks() };
}
