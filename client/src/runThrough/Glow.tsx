// Derives from the log what is weak of a routine, for all that glows. It shows nothing itself.

import { useEffect, useMemo, useState } from 'react';
import { practicePartOf } from '../parts/practiceParts';
import { weaknesses } from '../parts/weakness';
import type { PracticePart } from '../practice/parts';
import { useFromLibrary, useServices } from '../services/services';
import type { Part } from '../sync/records';
import { glowOf, keptGlow } from './glowOf';
import { useHistory, useRoutineLog, type RoutineLog } from './useHistory';
import { useLog, usePractice } from './usePractice';
import { useRoutineCounts } from './useRoutineCounts';

interface GlowProps {
  readonly routineId: string;
  readonly parts: readonly Part[];
}

/** Begins once the page has nothing else to do: the log is not read while a routine opens. */
export function Glow(props: GlowProps): JSX.Element | null {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    // Safari has no idle callbacks.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIdle(true), 1_000);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(() => setIdle(true), { timeout: 2_000 });
    return () => cancelIdleCallback(request);
  }, []);
  return isIdle ? <OwnLog {...props} /> : null;
}

/** Without a log of this routine nothing else is loaded. */
function OwnLog({ routineId, parts }: GlowProps): JSX.Element | null {
  const isOpen = useLog();
  const log = useRoutineLog(routineId);
  return isOpen && log.entries.length + log.runs.length > 0 ? <Derived parts={parts} log={log} /> : null;
}

interface DerivedProps {
  readonly parts: readonly Part[];
  readonly log: RoutineLog;
}

function Derived({ parts, log }: DerivedProps): JSX.Element {
  const { library } = useServices();
  const practice = usePractice();
  const { counts, loader } = useRoutineCounts(parts);
  const key = useFromLibrary(() => JSON.stringify(parts.map((part) => practicePartOf(library, counts, part))));
  const history = useHistory(practice, useMemo(() => JSON.parse(key) as PracticePart[], [key]), log);
  useEffect(() => {
    if (history) weaknesses.show(keptGlow(weaknesses.known, glowOf(history, history.parts)));
  }, [history]);
  useEffect(() => () => weaknesses.show(new Map()), []);
  return loader;
}
