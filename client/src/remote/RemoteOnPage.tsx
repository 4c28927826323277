// Remote control on the routine page: the note that another device controls it, the list of
// players, and the remote in place of the page's own player.

import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useOverlay, useServices } from '../services/services';
import { announce } from '../ui/announce';
import { Icon } from '../ui/Icon';
import type { PageState } from './controls';
import { PlayersSheet } from './PlayersSheet';
import type { Watcher } from './controlled';
import './remote.css';
import type { Remote } from './remote';
import { RemotePanel } from './RemotePanel';
import { useRemoteSession } from './useRemoteSession';

/**
 * The state of the routine page, and a callback that is told whether another player is controlled.
 */
export interface RemoteOnPageProps extends PageState {
  readonly onControl: (isControlling: boolean) => void;
}

const nothing = (): (() => void) => () => undefined;

/** All of remote control that the page shows. */
export function RemoteOnPage({ onControl, ...stand }: RemoteOnPageProps): JSX.Element | null {
  const { player, navigation } = useServices();
  const [isExpanded] = useOverlay('player');
  const { session, isSilenced } = useRemoteSession(stand);
  const [isChoosing, openSheet, closeSheet] = useOverlay('remote');
  useSyncExternalStore(session?.subscribe ?? nothing, () => session?.version ?? 0);
  const remote = session?.remote ?? null;
  const isControlling = remote !== null;
  useEffect(() => {
    onControl(isControlling);
    // Two devices must never sound at once.
    if (isControlling) player.pause();
  }, [isControlling, onControl, player]);
  useEffect(() => () => onControl(false), [onControl]);
  if (!session) return null;
  const { watchers } = session;
  return (
    <>
      {watchers.length > 0 && <ControlledNote watchers={watchers} />}
      {watchers.length > 0 && isSilenced && <TapNote />}
      {remote && (
        <>
          <Follow remote={remote} stand={stand} />
          <RemotePanel key={remote.target.id} remote={remote} onChoose={openSheet} onStop={() => session.release()} />
        </>
      )}
      {isChoosing && (
        <PlayersSheet
          session={session} onClose={closeSheet}
          onChoose={(chosen) => {
            // The large player closes together with the sheet over it.
            if (isExpanded) navigation.close('player');
            else closeSheet();
            session.control(chosen);
          }}
        />
      )}
    </>
  );
}

function ControlledNote({ watchers }: { watchers: readonly Watcher[] }): JSX.Element {
  const names = watchers.map(({ name }) => name).join(', ');
  return (
    <p className="remote-note" role="status" data-testid="controlled-note">
      <Icon name="remote" size={20} />
      <span>Controlled from <bdi>{names}</bdi></span>
    </p>
  );
}

/** A press anywhere lets the sound start; this is a large note that says so. */
function TapNote(): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => announce('Tap once to let the sound start.'), []);
  return (
    <div className="remote-tap">
      <button type="button" ref={button} data-testid="tap-note">
        <Icon name="audio" size={64} />
        Tap once to let the sound start
      </button>
    </div>
  );
}

/** Shows the part that the other device plays, if both show the same routine. */
function Follow({ remote, stand }: { remote: Remote; stand: PageState }): null {
  const part = useSyncExternalStore(remote.subscribe, () => (
    remote.state?.routine === stand.routine.id ? remote.state.part : null
  ));
  const latest = useRef(stand);
  latest.current = stand;
  useEffect(() => {
    const { parts, index, onShow } = latest.current;
    const there = parts.findIndex(({ id }) => id === part);
    if (there >= 0 && there !== index) onShow(there);
  }, [part]);
  return null;
}
