// Remote control on the routine page: the note that another device controls it, the list of
// players, and the remote in place of the page's own player.

import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useFromLibrary, useOverlay, useServices } from '../services/services';
import { announce } from '../ui/announce';
import { Icon } from '../ui/Icon';
import { Named } from '../ui/Named';
import { listText } from '../words/format';
import { lateWords } from '../words/lateWords';
import type { PageState } from './controls';
import { PlayersSheet } from './PlayersSheet';
import type { Watcher } from './controlled';
import { handOver, handedOver } from './handover';
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
  useEffect(() => {
    const player = session && handedOver(stand.routine.id);
    if (player) session.control(player);
  }, [session, stand.routine.id]);
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
  const names = listText(watchers.map(({ name }) => name));
  return (
    <p className="remote-note" role="status" data-testid="controlled-note">
      <Icon name="remote" size={20} />
      <span><Named message={lateWords.remote.controlledFrom} name={names} /></span>
    </p>
  );
}

/** A press anywhere lets the sound start; this is a large note that says so. */
function TapNote(): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => announce(lateWords.remote.tapToStart), []);
  return (
    <div className="remote-tap">
      <button type="button" ref={button} data-testid="tap-note">
        <Icon name="audio" size={64} />
        {lateWords.remote.tapToStart}
      </button>
    </div>
  );
}

/** Shows the part that the other device plays. In another routine it goes to that routine's page first. */
function Follow({ remote, stand }: { remote: Remote; stand: PageState }): null {
  const { navigation } = useServices();
  const routine = useSyncExternalStore(remote.subscribe, () => remote.state?.routine ?? null);
  const part = useSyncExternalStore(remote.subscribe, () => remote.state?.part ?? null);
  const isHere = useFromLibrary((library) => routine !== null && library.get('routine', routine) !== undefined);
  const latest = useRef(stand);
  latest.current = stand;
  useEffect(() => {
    const { routine: own, parts, index, onShow } = latest.current;
    if (routine === own.id) {
      const there = parts.findIndex(({ id }) => id === part);
      if (there >= 0 && there !== index) onShow(there);
    } else if (routine !== null && isHere) {
      handOver(remote.target, routine);
      navigation.go({ page: 'routine', routineId: routine, partId: part }, { replace: true });
    }
  }, [routine, part, isHere, navigation, remote]);
  return null;
}
