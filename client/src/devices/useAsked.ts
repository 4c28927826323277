// A value requested from the server, with its error, and a way to request it again.

import { useCallback, useEffect, useState } from 'react';
import { sentenceOf } from './api';

/** The result of a request. */
export interface Asked<V> {
  /** Null until the first answer; kept during the next request. */
  readonly value: V | null;
  /** A sentence if the latest attempt failed. */
  readonly problem: string | null;
  again(): Promise<void>;
  /** Sets a value from another source. */
  take(value: V): void;
}

/** Requests the value when the component appears; `ask` must keep its identity. */
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
