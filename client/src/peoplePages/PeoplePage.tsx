// Settings → People: everybody who uses this Segmance, for its owner; for the others their own name and colour.

import { useCallback, useMemo, useState } from 'react';
import { AddDevice } from '../devices/AddDevice';
import { fetchDevices, fetchNetwork, type Device } from '../devices/api';
import { useAsked } from '../devices/useAsked';
import type { Person } from '../people/api';
import { Link } from '../services/Link';
import { useServices } from '../services/services';
import { SettingsSubpage } from '../settings/SettingsSubpage';
import { serverOwner } from '../sync/replica';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { nextMoveColour } from '../ui/moveTypes';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { Asking } from './Asking';
import { NewPerson, PersonSheet, Profile, useProfile } from './PersonSheet';
import { PersonDot, PersonName, personName } from './PersonName';
import { Searched } from './Searched';
import { useMe, usePeople } from './usePeople';

/** The page. */
export function PeoplePage(): JSX.Element {
  const { library } = useServices();
  const people = usePeople();
  const me = useMe();
  const own = people.value?.find(({ id }) => id === me);
  const text = lateWords.people;
  return (
    <SettingsSubpage title={library.isOwners ? text.people : text.me}>
      <Asking asked={people} />
      {people.value !== null && (library.isOwners
        ? <Everybody people={people.value} onChanged={people.again} />
        : own && <OwnProfile key={`${own.name} ${own.colour}`} person={own} onChanged={people.again} />)}
    </SettingsSubpage>
  );
}

function OwnProfile({ person, onChanged }: { person: Person; onChanged: () => Promise<void> }): JSX.Element {
  const profile = useProfile(person, onChanged);
  return (
    <div className="people" data-testid="own-profile">
      <p className="note">{lateWords.people.aboutMe}</p>
      <Profile profile={profile} isOwner={false} />
      <Button
        kind="primary" data-testid="profile-save" onClick={() => void profile.save()}
        disabled={!profile.isUsable || (profile.name.trim() === person.name && profile.colour === person.colour)}
      >
        {words.common.save}
      </Button>
    </div>
  );
}

/** What is open above the list. */
type Open = { readonly kind: 'new' } | { readonly kind: 'person' | 'code'; readonly id: string } | null;

function Everybody({ people, onChanged }: { people: readonly Person[]; onChanged: () => Promise<void> }): JSX.Element {
  const me = useMe();
  const network = useAsked(fetchNetwork);
  const devices = useAsked(fetchDevices);
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const text = lateWords.people;
  const person = open && 'id' in open ? people.find(({ id }) => id === open.id) : undefined;
  const byPerson = useMemo(() => {
    const found = new Map<string, Device[]>();
    for (const device of devices.value ?? []) found.set(device.person, [...found.get(device.person) ?? [], device]);
    return found;
  }, [devices.value]);
  const devicesOf = (id: string): readonly Device[] => byPerson.get(id) ?? [];
  const again = async (): Promise<void> => {
    await Promise.all([onChanged(), devices.again()]);
  };
  const nameOf = useCallback((each: Person): string => personName(each, me), [me]);
  const rankOf = useCallback(({ id }: Person): number => Number(id !== me), [me]);
  const isOff = network.value?.isOn === false;
  return (
    <div className="people">
      <p className="note">{people.length > 1 ? text.about : text.aboutNone}</p>
      {isOff && (
        <p className="note" data-testid="people-network">
          {`${text.networkFirst} `}
          <Link route={{ page: 'settings', room: 'devices' }}>{text.toDevices}</Link>
        </p>
      )}
      <Button kind="primary" icon="plus" data-testid="add-person" onClick={() => setOpen({ kind: 'new' })}>{text.addOne}</Button>
      {people.length > 1 && (
        <Searched
          items={people} nameOf={nameOf} rankOf={rankOf} label={text.searchPeople} found={text.personCount}
          none={text.nobodyFound} testId="people-search"
        >
          {(rows) => (
            <ul className="rows" data-testid="person-rows">
              {rows.map((each) => (
                <li key={each.id}>
                  <button
                    type="button" className="row" data-testid="person-row" aria-haspopup="dialog"
                    onClick={() => {
                      setOpen({ kind: 'person', id: each.id });
                      void devices.again();
                    }}
                  >
                    <PersonDot person={each} />
                    <span className="row-text">
                      <PersonName person={each} me={me} />
                      {each.id !== serverOwner && devices.value !== null && <small>{text.devices(devicesOf(each.id).length)}</small>}
                    </span>
                    <Icon name="edit" size={20} />
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Searched>
      )}
      {open?.kind === 'new' && (
        <NewPerson
          colour={nextMoveColour(people.map(({ colour }) => colour))} onClose={close}
          onAdded={(added) => void again().then(() => setOpen(isOff ? null : { kind: 'code', id: added.id }))}
        />
      )}
      {open?.kind === 'person' && person && (
        <PersonSheet
          key={person.id} person={person} title={personName(person, me)} devices={devicesOf(person.id)} onChanged={again}
          onCode={() => setOpen({ kind: 'code', id: person.id })} onClose={close}
        />
      )}
      {open?.kind === 'code' && person && (
        <AddDevice
          authority={network.value?.authority ?? null} person={person} onPaired={() => void again()} onClose={close}
        />
      )}
    </div>
  );
}
