// Settings → Devices: which devices have access, and how a phone is added.

import { useCallback, useEffect } from 'react';
import { useOverlay, useServices } from '../services/services';
import { fetchCredentials } from '../signIn/api';
import { OwnCredentials } from '../signIn/OwnCredentials';
import { SettingsSubpage } from '../settings/SettingsSubpage';
import { Button } from '../ui/Button';
import { AddDevice } from './AddDevice';
import { fetchDevices, fetchNetwork, fetchSession, type Session } from './api';
import type { Person } from '../people/api';
import { DeviceList } from './DeviceList';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import './devices.css';
import { NetworkSwitch } from './NetworkSwitch';
import { OwnDevice } from './OwnDevice';
import { useAsked } from './useAsked';

const lookMilliseconds = 4_000;

/** The page. */
export function DevicesPage(): JSX.Element {
  const session = useAsked(fetchSession);
  return (
    <SettingsSubpage title={lateWords.devices.devices}>
      {session.value === null && session.problem === null && <div className="skeleton devices-skeleton" aria-busy="true" />}
      {session.value === null && session.problem !== null && (
        <div className="nothing-yet" role="alert">
          <p>{`${session.problem} ${lateWords.devices.unreachable}`}</p>
          <Button icon="retry" onClick={() => void session.again()}>{words.common.retry}</Button>
        </div>
      )}
      {session.value !== null && <Devices session={session.value} onRenamed={() => void session.again()} />}
    </SettingsSubpage>
  );
}

function Devices({ session, onRenamed }: { session: Session; onRenamed: () => void }): JSX.Element {
  const texts = lateWords.devices;
  const isOwner = session.role === 'owner';
  const { library } = useServices();
  const network = useAsked(fetchNetwork);
  const devices = useAsked(fetchDevices);
  const [isAdding, openAdding, closeAdding] = useOverlay('add-device');
  const lookAgain = devices.again;
  useEffect(() => {
    // A device may connect, or may be paired on another screen.
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void lookAgain();
    }, lookMilliseconds);
    return () => clearInterval(timer);
  }, [lookAgain]);
  // The devices of the others are under People.
  const own = (devices.value ?? []).filter(({ person }) => session.person === null || person === session.person.id);
  const canAdd = !isOwner || network.value?.isOn === true;
  return (
    <div className="devices">
      {isOwner && <NetworkSwitch network={network} />}
      {session.device && (
        <OwnDevice
          device={session.device}
          onRenamed={() => {
            onRenamed();
            void lookAgain();
          }}
        />
      )}
      <section className="settings-group" aria-label={texts.paired}>
        <h2>{texts.paired}</h2>
        {devices.problem !== null && <p className="problem" role="alert">{devices.problem}</p>}
        <DeviceList
          devices={own} isLoaded={devices.value !== null} isOwner={isOwner || session.role === 'person'} onChanged={lookAgain}
        />
        {canAdd && (
          <Button kind="primary" icon="plus" data-testid="add-device" onClick={openAdding}>{texts.add}</Button>
        )}
        {isOwner && network.value !== null && !canAdd && (
          <p className="note">{texts.allowFirst}</p>
        )}
      </section>
      {session.person && library.status.people && <SigningIn person={session.person} />}
      {isAdding && canAdd && (
        <AddDevice
          authority={network.value?.authority ?? null}
          onPaired={() => void lookAgain()} onClose={closeAdding}
        />
      )}
    </div>
  );
}

/** How this person can sign in elsewhere; nothing until it is known. */
function SigningIn({ person }: { person: Person }): JSX.Element | null {
  const { id } = person;
  const { value, again } = useAsked(useCallback(() => fetchCredentials(id), [id]));
  return value && <OwnCredentials person={person} credentials={value} onChanged={again} />;
}
