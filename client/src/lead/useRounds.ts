// The server's time while a component leads or follows.

import { useEffect, useRef } from 'react';
import { useServices } from '../services/services';
import { browserEnvironment } from '../sync/environment';
import { fetchTime } from './api';
import { Rounds } from './rounds';

/** Returns a way to read the server's time; `onRound` is called after each round. */
export function useRounds(onRound: () => void): { current: Rounds | null } {
  const { library } = useServices();
  const rounds = useRef<Rounds | null>(null);
  const told = useRef(onRound);
  told.current = onRound;
  useEffect(() => {
    const made = new Rounds({
      ask: fetchTime, now: () => performance.now(), timer: browserEnvironment().timer, onRound: () => told.current(),
    });
    rounds.current = made;
    // After a gap another process may answer, whose clock began anew.
    const stop = library.onServerMessage(({ type }) => {
      if (type === 'leads') made.restart();
    });
    return () => {
      stop();
      made.close();
      rounds.current = null;
    };
  }, [library]);
  return rounds;
}
