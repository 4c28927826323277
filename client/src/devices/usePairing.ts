// A code on the screen: created, counted down, and watched until a device has used it.

import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchDevices, makePairing, sentenceOf, type Pairing } from './api';

/** The state of a code. */
export interface PairingOnScreen {
  /** Null until it was created. */
  readonly pairing: Pairing | null;
  readonly problem: string | null;
  /** Milliseconds until it expires. */
  readonly left: number;
  /** The name of the device that used it. */
  readonly paired: string | null;
  /** Makes another code. */
  renew(): Promise<void>;
}

/** The details of the shown code. */
interface Shown {
  readonly pairing: Pairing;
  /** In this page's clock, which may differ from the server's. */
  readonly diesAt: number;
  /** The devices that existed before it. */
  readonly known: ReadonlySet<string>;
}

/** Five minutes, like on the server: a wrong clock must not make a new code expire at once. */
const lifeMilliseconds = 5 * 60_000;
const lookMilliseconds = 1_500;

/** Makes a code when the component appears, for a person or for the caller. */
export function usePairing(onPaired: () => void, person?: string): PairingOnScreen {
  const [shown, setShown] = useState<Shown | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [paired, setPaired] = useState<string | null>(null);
  const [now, setNow] = useState(() => performance.now());
  const turn = useRef(0);
  const told = useRef(onPaired);
  told.current = onPaired;

  const renew = useCallback(async (): Promise<void> => {
    turn.current += 1;
    const own = turn.current;
    setProblem(null);
    try {
      const devices = await fetchDevices();
      const pairing = await makePairing(person);
      if (own !== turn.current) return;
      const born = performance.now();
      setNow(born);
      setPaired(null);
      setShown({
        pairing, diesAt: born + lifeMilliseconds, known: new Set(devices.map(({ id }) => id)),
      });
    } catch (failure) {
      if (own === turn.current) setProblem(sentenceOf(failure));
    }
  }, [person]);
  useEffect(() => {
    void renew();
    return () => {
      turn.current += 1;
    };
  }, [renew]);

  const isWatched = shown !== null && paired === null;
  useEffect(() => {
    if (!isWatched) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, [isWatched]);
  useEffect(() => {
    if (!shown || paired !== null) return undefined;
    let isOver = false;
    const look = async (): Promise<void> => {
      try {
        const fresh = (await fetchDevices()).find(({ id }) => !shown.known.has(id));
        if (!fresh || isOver) return;
        setPaired(fresh.name);
        told.current();
      } catch {
        // The next poll will succeed or fail; the code on the screen stays valid.
      }
    };
    const timer = setInterval(() => void look(), lookMilliseconds);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [shown, paired]);
  return {
    pairing: shown?.pairing ?? null, problem, paired, renew,
    left: shown ? Math.min(lifeMilliseconds, Math.max(0, shown.diesAt - now)) : 0,
  };
}
