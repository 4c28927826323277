// Makes a routine of the clips, and opens it.

import { useServices } from '../services/services';
import type { Track } from '../sync/records';
import { makeRoutine } from './actions';

/**
 * Returns the function that makes the routine and opens it. Back from it leads to the routines,
 * where it is listed.
 */
export function useMakeRoutine(track: Track): () => void {
  const { library, navigation, offline } = useServices();
  return () => {
    const { routine, parts } = makeRoutine(library, track);
    offline.keepRecent(parts);
    navigation.go({ page: 'routines' });
    navigation.go({ page: 'routine', routineId: routine, partId: null });
  };
}
