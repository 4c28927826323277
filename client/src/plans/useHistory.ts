// What the practice log says about a routine, for its plans.

import { useEffect, useState } from 'react';
import { practicePartOf } from '../parts/practiceParts';
import { PracticeHistory } from '../practice/history';
import { useLog, usePractice } from '../runThrough/usePractice';
import { useServices } from '../services/services';
import type { Part } from '../sync/records';

/** Derives the history of a routine's parts from the log; null until it is read. What is logged later does not change it. */
export function useHistory(routineId: string, parts: readonly Part[]): PracticeHistory | null {
  const { library, counts } = useServices();
  const module = usePractice();
  const isOpen = useLog();
  const [history, setHistory] = useState<PracticeHistory | null>(null);
  useEffect(() => {
    if (!module || !isOpen) return;
    const now = new Date();
    setHistory(new PracticeHistory(module, {
      parts: parts.map((part) => practicePartOf(library, counts, part)),
      entries: library.all('practiceEntry').filter(({ routine }) => routine === routineId),
      runs: library.all('runThrough').filter(({ routine }) => routine === routineId),
      now: now.getTime(), utcOffset: -now.getTimezoneOffset(),
    }));
  }, [module, isOpen, library, counts, routineId, parts]);
  useEffect(() => () => history?.close(), [history]);
  return history;
}
