// What the practice log says of a routine, for components.

import { useEffect, useMemo, useState } from 'react';
import type { PracticeExports } from '../generated/practice';
import { PracticeHistory } from '../practice/history';
import type { PracticePart } from '../practice/parts';
import { useFromLibrary } from '../services/services';
import type { LocalLibrary } from '../sync/library';
import type { PracticeEntry, RunThrough } from '../sync/records';

/** What is logged of one routine. */
export interface RoutineLog {
  readonly entries: readonly PracticeEntry[];
  readonly runs: readonly RunThrough[];
}

/** Reads what is logged of a routine; renders again when it changes. */
export function useRoutineLog(routineId: string): RoutineLog {
  const entries = useFromLibrary((library) => library.all('practiceEntry'));
  const runs = useFromLibrary((library) => library.all('runThrough'));
  return useMemo(() => ofRoutine(routineId, { entries, runs }), [entries, runs, routineId]);
}

/** Returns what is logged of a routine by now. */
export function routineLogOf(library: LocalLibrary, routineId: string): RoutineLog {
  return ofRoutine(routineId, { entries: library.all('practiceEntry'), runs: library.all('runThrough') });
}

function ofRoutine(routineId: string, { entries, runs }: RoutineLog): RoutineLog {
  return {
    entries: entries.filter(({ routine }) => routine === routineId), runs: runs.filter(({ routine }) => routine === routineId),
  };
}

/**
 * Derives the history of parts, and again when the parts, the log or the day are others; null while any of it is
 * missing. It is closed when another takes its place.
 */
export function useHistory(
  practice: PracticeExports | null, parts: readonly PracticePart[], log: RoutineLog | null, day?: number,
): PracticeHistory | null {
  const [history, setHistory] = useState<PracticeHistory | null>(null);
  useEffect(() => {
    if (!practice || !log) return;
    const now = new Date();
    setHistory(new PracticeHistory(practice, { parts, ...log, now: now.getTime(), utcOffset: -now.getTimezoneOffset() }));
  }, [practice, parts, log, day]);
  useEffect(() => () => history?.close(), [history]);
  return history;
}
