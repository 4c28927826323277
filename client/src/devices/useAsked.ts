// Something asked of the server, with its failure, and a way to ask again.

import { useCallback, useEffect, useState } from 'react';
import { sentenceOf } from './api';

/** What came of asking. */
export interface Asked<V> {
  /** Null until the first answer; kept while it is asked again. */
  readonly value: V | null;
  /** A sentence when the latest attempt failed. */
  readonly problem: string | null;
  again(): Promise<void>;
  /** Takes a value that came another way. */
  take(value: V): void;
}

/** Asks when the component appears; `ask` has to keep its identity. */
export function useAsked<V>(ask: () => Promise<V>): Asked<V> {
  const [value, setValue] = useState<V | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const again = useCallback(async (): Promise<void> => {
    try {
      const answer = await ask();
      setValue(() => answer);
      setProblem(null);
    } catch (failure) {
      setProblem(sentenceOf(failure));
    }
  }, [ask]);
  useEffect(() => void again(), [again]);
  return { value, problem, again, take: (taken) => setValue(() => taken) };
}
