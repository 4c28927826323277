// The people and the groups, from the server.

import { useEffect } from 'react';
import { useAsked, type Asked } from '../devices/useAsked';
import { fetchGroups, fetchPeople, type Group, type Person } from '../people/api';
import { useServices } from '../services/services';
import { serverOwner } from '../sync/replica';

/** Requests the people when the component appears, and again when they have changed. */
export function usePeople(): Asked<readonly Person[]> {
  return useFollowed(fetchPeople);
}

/** The same for the groups of this device's person. */
export function useGroups(): Asked<readonly Group[]> {
  return useFollowed(fetchGroups);
}

function useFollowed<V>(ask: () => Promise<V>): Asked<V> {
  const { library } = useServices();
  const asked = useAsked(ask);
  const { again } = asked;
  useEffect(() => {
    let isStale = false;
    let isAsking = false;
    // One request at a time: when many join a group, each joining is announced.
    const refresh = async (): Promise<void> => {
      isStale = true;
      if (isAsking) return;
      isAsking = true;
      while (isStale) {
        isStale = false;
        await again();
      }
      isAsking = false;
    };
    return library.onServerMessage(({ type }) => {
      if (type === 'people') void refresh();
    });
  }, [library, again]);
  return asked;
}

/** The id of this device's person. */
export function useMe(): string {
  return useServices().library.status.person ?? serverOwner;
}
