// The sheets of a person: a new one, and one that is known with their devices.

import { useCallback, useState } from 'react';
import type { Device } from '../devices/api';
import { DeviceList } from '../devices/DeviceList';
import { useAsked } from '../devices/useAsked';
import { addPerson, changePerson, longestPersonName, removePerson, type Person } from '../people/api';
import { fetchCredentials } from '../signIn/api';
import { OthersCredentials } from '../signIn/OwnCredentials';
import { serverOwner } from '../sync/replica';
import { excess } from '../sync/validation';
import { Button } from '../ui/Button';
import { ColourChoice } from '../ui/ColourChoice';
import { Confirm } from '../ui/Confirm';
import { LimitedField } from '../ui/LimitedField';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { attempt } from './attempt';

interface NewPersonProps {
  /** A colour that few have. */
  readonly colour: string;
  readonly onAdded: (person: Person) => void;
  readonly onClose: () => void;
}

/** Name and colour of a new person; then the code for their first device is shown. */
export function NewPerson({ colour: proposed, onAdded, onClose }: NewPersonProps): JSX.Element {
  const [name, setName] = useState('');
  const [colour, setColour] = useState(proposed);
  const [isBusy, setBusy] = useState(false);
  const text = lateWords.people;
  const isUsable = !isBusy && name.trim() !== '' && excess(name, longestPersonName) === null;
  const add = async (): Promise<void> => {
    if (!isUsable) return;
    setBusy(true);
    await attempt(addPerson(name, colour).then(onAdded));
    setBusy(false);
  };
  return (
    <Sheet
      title={text.addOne} onClose={onClose} testId="new-person"
      footer={<Button kind="primary" disabled={!isUsable} data-testid="person-add" onClick={() => void add()}>{text.addAndPair}</Button>}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <LimitedField label={text.name} value={name} limit={longestPersonName} isFirst testId="person-name" onChange={setName} />
        <ColourChoice legend={text.colour} value={colour} onChoose={setColour} />
      </form>
    </Sheet>
  );
}

interface PersonSheetProps {
  readonly person: Person;
  readonly title: string;
  readonly devices: readonly Device[];
  readonly onChanged: () => Promise<void>;
  /** Shows a code for a device of this person. */
  readonly onCode: () => void;
  readonly onClose: () => void;
}

/** Name, colour and devices of a person. */
export function PersonSheet({ person, title, devices, onChanged, onCode, onClose }: PersonSheetProps): JSX.Element {
  const [isRemoving, setRemoving] = useState(false);
  const text = lateWords.people;
  const isOwner = person.id === serverOwner;
  const profile = useProfile(person, onChanged);
  const credentials = useAsked(useCallback(() => fetchCredentials(person.id), [person.id]));
  return (
    <Sheet
      title={title} onClose={onClose} testId="person-sheet" size={isOwner ? 'medium' : 'tall'}
      footer={(
        <>
          {!isOwner && (
            <Button kind="quiet" icon="trash" className="is-dangerous" data-testid="person-remove" onClick={() => setRemoving(true)}>
              {words.common.remove}
            </Button>
          )}
          <Button
            kind="primary" disabled={!profile.isUsable} data-testid="person-done"
            onClick={() => void profile.save().then((isSaved) => isSaved && onClose())}
          >
            {words.common.done}
          </Button>
        </>
      )}
    >
      <div className="stack">
        <Profile profile={profile} isOwner={isOwner} />
        {!isOwner && (
          <section className="people" aria-label={text.devicesOf(person.name)}>
            <DeviceList devices={devices} isLoaded isOwner onChanged={onChanged} />
            <Button
              icon="plus" data-testid="person-code" disabled={!profile.isUsable}
              onClick={() => void profile.save().then((isSaved) => isSaved && onCode())}
            >
              {text.newCode}
            </Button>
            {credentials.value && (
              <OthersCredentials person={person} credentials={credentials.value} onChanged={credentials.again} />
            )}
          </section>
        )}
      </div>
      {isRemoving && (
        <Confirm
          title={text.removeQuestion(person.name)} action={words.common.remove} onClose={() => setRemoving(false)}
          onConfirm={() => void attempt(removePerson(person.id), text.removed(person.name)).then(async (isDone) => {
            await onChanged();
            if (isDone) onClose();
          })}
        >
          {text.removeExplained}
        </Confirm>
      )}
    </Sheet>
  );
}

/** A name and a colour that are being changed. */
export interface ProfileState {
  readonly name: string;
  readonly colour: string;
  readonly setName: (name: string) => void;
  readonly setColour: (colour: string) => void;
  readonly isUsable: boolean;
  /** Saves what has changed; returns whether that succeeded. */
  readonly save: () => Promise<boolean>;
}

/** Holds them until they are saved. */
export function useProfile(person: Person, onChanged: () => Promise<void>): ProfileState {
  const [name, setName] = useState(person.name);
  const [colour, setColour] = useState(person.colour);
  const [isBusy, setBusy] = useState(false);
  const isNamed = name.trim() !== '' || person.name === '';
  const save = async (): Promise<boolean> => {
    const changed = {
      ...(name.trim() !== person.name && { name: name.trim() }), ...(colour !== person.colour && { colour }),
    };
    if (Object.keys(changed).length === 0) return true;
    setBusy(true);
    const isDone = await attempt(changePerson(person.id, changed));
    setBusy(false);
    await onChanged();
    return isDone;
  };
  return { name, colour, setName, setColour, save, isUsable: !isBusy && isNamed && excess(name, longestPersonName) === null };
}

/** The fields of a profile. */
export function Profile({ profile, isOwner }: { profile: ProfileState; isOwner: boolean }): JSX.Element {
  const text = lateWords.people;
  return (
    <>
      <LimitedField
        label={isOwner ? text.nameOfOwner : text.name} value={profile.name} limit={longestPersonName} testId="person-name"
        onChange={profile.setName}
      />
      <ColourChoice legend={text.colour} value={profile.colour} onChoose={profile.setColour} />
    </>
  );
}
