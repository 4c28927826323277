// Makes the routine page available to other devices while it is shown.

import { useEffect, useRef, useState } from 'react';
import { apiAddress } from '../apiAddress';
import { useServices } from '../services/services';
import { pageName } from '../ui/platform';
import { ask } from '../sync/ask';
import { browserEnvironment } from '../sync/environment';
import { post } from '../sync/requests';
import { controlsOf, type PageState } from './controls';
import { RemoteSession } from './session';

/** How long a start may take before it counts as blocked by the browser. */
const patienceMilliseconds = 500;
const answerMilliseconds = 4_000;

/**
 * Returns the page's session, null for a moment at first, and whether the browser blocks its sound.
 */
export function useRemoteSession(stand: PageState): { session: RemoteSession | null; isSilenced: boolean } {
  const services = useServices();
  const latest = useRef(stand);
  latest.current = stand;
  const silenced = useRef(false);
  const [isSilenced, setSilenced] = useState(false);
  const [session, setSession] = useState<RemoteSession | null>(null);

  useEffect(() => {
    const { player, library } = services;
    const environment = browserEnvironment();
    const over = new AbortController();
    const opened = new RemoteSession({
      newId: () => library.newId(),
      appear: (query, isBusy) => library.appear(query, isBusy),
      onServerMessage: (listener) => library.onServerMessage(listener),
      fetchPlayers: async () => {
        const options = { signal: over.signal, milliseconds: answerMilliseconds };
        return (await ask('GET', apiAddress.remote, options)).value;
      },
      // The page may be closing; its last message must still be sent.
      post: async (body) => {
        await post(environment, apiAddress.remote, body, new AbortController().signal, true);
      },
      now: () => performance.now(),
      timer: environment.timer,
    }, controlsOf(services, () => latest.current, () => silenced.current), pageName(navigator));
    setSession(opened);

    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = (value: boolean): void => {
      if (value === silenced.current) return;
      silenced.current = value;
      setSilenced(value);
      opened.changed();
    };
    const isWaiting = (): boolean => player.snapshot.wantsToPlay && player.snapshot.state === 'loading';
    const look = (): void => {
      timer = undefined;
      silence(player.isHeldBack);
      // A blocked start and a loading one look the same from outside, and no event announces the
      // change.
      if (isWaiting()) timer = setTimeout(look, patienceMilliseconds);
    };
    const follow = (): void => {
      if (isWaiting()) timer ??= setTimeout(look, patienceMilliseconds);
      else silence(false);
      opened.changed();
    };
    const changed = (): void => opened.changed();
    const stops = [player.subscribe(follow), library.subscribe(changed), services.counts.subscribe(changed)];
    const shown = (): void => {
      if (document.visibilityState === 'visible') opened.wake();
    };
    const left = (event: PageTransitionEvent): void => {
      if (!event.persisted) opened.close();
    };
    document.addEventListener('visibilitychange', shown);
    window.addEventListener('pagehide', left);
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      document.removeEventListener('visibilitychange', shown);
      window.removeEventListener('pagehide', left);
      opened.close();
      over.abort();
      setSession(null);
    };
  }, [services]);
  // Another part or another run: tells the controlling devices.
  useEffect(() => session?.changed());
  return { session, isSilenced };
}
