// Today's date on a page that stays open for days.

import { useSyncExternalStore } from 'react';
import { dayOf } from './today';

const everyMinute = 60_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, everyMinute);
  document.addEventListener('visibilitychange', listener);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Returns today, in days since 1970-01-01; renders again when the next day begins. */
export function useToday(): number {
  return useSyncExternalStore(subscribe, () => dayOf(new Date()));
}
