// Derives from the log what is weak of a routine, for all that glows. It shows nothing itself.

import { useEffect, useMemo, useState } from 'react';
import { practicePartOf } from '../parts/practiceParts';
import { weaknesses } from '../parts/weakness';
import { PracticeHistory } from '../practice/history';
import type { PracticePart } from '../practice/parts';
import { useFromLibrary, useServices } from '../services/services';
import type { Part, PracticeEntry, RunThrough } from '../sync/records';
import { glowOf, keptGlow } from './glowOf';
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
  const allEntries = useFromLibrary((library) => library.all('practiceEntry'));
  const allRuns = useFromLibrary((library) => library.all('runThrough'));
  const entries = useMemo(() => allEntries.filter(({ routine }) => routine === routineId), [allEntries, routineId]);
  const runs = useMemo(() => allRuns.filter(({ routine }) => routine === routineId), [allRuns, routineId]);
  return isOpen && entries.length + runs.length > 0 ? <Derived parts={parts} entries={entries} runs={runs} /> : null;
}

interface DerivedProps {
  readonly parts: readonly Part[];
  readonly entries: readonly PracticeEntry[];
  readonly runs: readonly RunThrough[];
}

function Derived({ parts, entries, runs }: DerivedProps): JSX.Element {
  const { library } = useServices();
  const practice = usePractice();
  const { counts, loader } = useRoutineCounts(parts);
  const key = useFromLibrary(() => JSON.stringify(parts.map((part) => practicePartOf(library, counts, part))));
  useEffect(() => {
    if (!practice) return;
    const known = JSON.parse(key) as PracticePart[];
    const history = new PracticeHistory(practice, {
      parts: known, entries, runs, now: Date.now(), utcOffset: -new Date().getTimezoneOffset(),
    });
    weaknesses.show(keptGlow(weaknesses.known, glowOf(history, known)));
    history.close();
  }, [practice, key, entries, runs]);
  useEffect(() => () => weaknesses.show(new Map()), []);
  return loader;
}
