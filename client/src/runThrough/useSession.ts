// The session of a run-through on the page: begins with it, and ends with it.

import { useEffect, useMemo, useRef } from 'react';
import { practicePartOf } from '../parts/practiceParts';
import type { Run } from '../parts/useRun';
import { loadPractice } from '../practice/practiceModule';
import { useServices } from '../services/services';
import type { Part } from '../sync/records';
import type { RunParts } from './heardRanges';
import { RunThroughSession } from './session';

/** Returns the session, and the function that ends it. */
export function useSession(
  routineId: string, parts: readonly Part[], run: Run, onEnd: (recordId: string | null) => void,
): { readonly session: RunThroughSession; readonly end: () => void } {
  const { player, library, counts } = useServices();
  const latest = useRef({ parts, onEnd });
  latest.current = { parts, onEnd };
  const runParts = useMemo<RunParts>(() => ({
    stretches: run.stretches, partIds: run.indices.map((index) => parts[index]?.id ?? ''),
  }), [run, parts]);
  const session = useMemo(() => new RunThroughSession(routineId, runParts, {
    player, library, practice: loadPractice(),
    parts: () => latest.current.parts.map((part) => practicePartOf(library, counts, part)),
    now: () => performance.now(),
    today: () => ({ startedAt: Date.now(), utcOffset: -new Date().getTimezoneOffset() }),
  }), [routineId, player, library, counts]);
  useEffect(() => session.follow(runParts), [session, runParts]);
  const isOver = useRef(false);
  const end = useMemo(() => (): void => {
    if (isOver.current) return;
    isOver.current = true;
    player.pause();
    latest.current.onEnd(session.end());
  }, [session, player]);
  useEffect(() => {
    // The page may be closed without a last word.
    const write = (): void => session.keep();
    window.addEventListener('pagehide', write);
    document.addEventListener('visibilitychange', write);
    return () => {
      window.removeEventListener('pagehide', write);
      document.removeEventListener('visibilitychange', write);
    };
  }, [session]);
  // By Back, or by another page.
  useEffect(() => end, [end]);
  return { session, end };
}
