// Records the practice of a routine while its page is open. It shows nothing.

import { useEffect } from 'react';
import { useServices } from '../services/services';
import { PracticeRecorder } from './recorder';

/** Writes what the player plays into the practice log. */
export function RecordPractice({ routineId }: { readonly routineId: string }): null {
  const { library, player } = useServices();
  useEffect(() => {
    const recorder = new PracticeRecorder(library, player, routineId);
    const write = (): void => {
      if (document.visibilityState === 'hidden') recorder.write();
    };
    const leave = (): void => recorder.write();
    // In the first phase, so that the library sends it with what else waits.
    document.addEventListener('visibilitychange', write, true);
    window.addEventListener('pagehide', leave, true);
    return () => {
      document.removeEventListener('visibilitychange', write, true);
      window.removeEventListener('pagehide', leave, true);
      recorder.close();
    };
  }, [library, player, routineId]);
  return null;
}
