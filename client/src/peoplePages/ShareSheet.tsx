// The sheet that says who sees a routine, and shares it with a group or with one person.

import { useState } from 'react';
import { makeGroup, moveRoutine, type Group, type Person } from '../people/api';
import type { ShareSheetProps } from '../people/lazy';
import { Link } from '../services/Link';
import { useMayEdit, useServices } from '../services/services';
import type { Role } from '../sync/wire';
import { Button } from '../ui/Button';
import { Choices } from '../ui/Choices';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { Asking } from './Asking';
import { attempt } from './attempt';
import { RoleSelect } from './GroupSheet';
import { nameOf } from './GroupsPage';
import { PersonDot, PersonName } from './PersonName';
import { useGroups, useMe, usePeople } from './usePeople';

/** Who is to see the routine: one's own alone, one person, or the id of a group. */
type Choice = 'me' | 'person' | string;

/** The sheet. */
export function ShareSheet({ routine, onClose }: ShareSheetProps): JSX.Element {
  const people = usePeople();
  const groups = useGroups();
  const text = lateWords.people;
  return (
    <Sheet title={text.share(routine.title)} onClose={onClose} testId="share-sheet">
      <div className="people share-people">
        <Asking asked={people.value === null ? people : groups} />
        {people.value !== null && groups.value !== null && (
          <Sharing routine={routine} people={people.value} groups={groups.value} onClose={onClose} onGroups={groups.again} />
        )}
      </div>
    </Sheet>
  );
}

function Sharing({ routine, people, groups, onClose, onGroups }: ShareSheetProps & {
  readonly people: readonly Person[]; readonly groups: readonly Group[]; readonly onGroups: () => Promise<void>;
}): JSX.Element {
  const { library } = useServices();
  const me = useMe();
  const mayEdit = useMayEdit(routine.id);
  const space = routine.space ?? null;
  const now = groups.find(({ id }) => id === space);
  const single = now?.name === '' ? now : undefined;
  const partner = single?.members.find(({ person }) => person !== me);
  const others = people.filter(({ id }) => id !== me);
  const [choice, setChoice] = useState<Choice>(single ? 'person' : space ?? 'me');
  const [person, setPerson] = useState(partner?.person ?? others[0]?.id ?? '');
  const [role, setRole] = useState<Role>(partner?.role === 'teacher' ? 'teacher' : 'performer');
  const [isBusy, setBusy] = useState(false);
  const text = lateWords.people;
  const named = groups.filter(({ name, role: own }) => name !== '' && own !== 'performer');
  const existing = groups.find((group) => isOfTwo(group, me, person, role));
  const target = choice === 'me' ? null : choice === 'person' ? existing?.id : choice;
  const isSame = target === space;
  const share = async (): Promise<void> => {
    setBusy(true);
    // The server moves what it has.
    await library.refresh();
    const move = async (): Promise<void> => {
      const to = target === undefined ? (await makeGroup('', [{ person, role }])).id : target;
      await moveRoutine(routine.id, to);
    };
    const withWhom = choice === 'person'
      ? people.find(({ id }) => id === person)?.name || words.people.owner
      : named.find(({ id }) => id === choice)?.name ?? '';
    const isDone = await attempt(move(), choice === 'me' ? text.unshared : text.shared(withWhom));
    await library.refresh();
    if (isDone) {
      onClose();
      return;
    }
    setBusy(false);
    await onGroups();
  };
  if (others.length === 0) {
    return (
      <p data-testid="share-nobody">
        {`${text.nobody} `}
        {library.isOwners && <Link route={{ page: 'settings', room: 'people' }}>{text.add}</Link>}
      </p>
    );
  }
  return (
    <>
      {now && (
        <section aria-label={text.sees}>
          <h3>{text.sees}</h3>
          <ul className="who-sees" data-testid="who-sees">
            {now.members.map((member) => {
              const who = people.find(({ id }) => id === member.person);
              return (
                <li key={member.person}>
                  <PersonDot person={who} />
                  <span className="row-text">
                    <PersonName person={who} me={me} />
                    <small>{text.roles[member.role]}</small>
                  </span>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      {!mayEdit && <p className="note" data-testid="share-read-only">{text.readOnly}</p>}
      {mayEdit && (
        <>
          <Choices<Choice>
            legend={text.whoSees} value={choice} form="column" testId="share-choice" onChoose={setChoice}
            choices={[
              { value: 'me', label: text.onlyMe },
              ...named.map((group) => ({ value: group.id, label: nameOf(group, people, me) })),
              { value: 'person', label: text.onePerson },
            ]}
          />
          {choice === 'person' && (
            <>
              <label className="field">
                <span>{text.withWhom}</span>
                <select
                  className="input select" value={person} data-testid="share-person" onChange={(event) => setPerson(event.target.value)}
                >
                  {others.map((each) => <option key={each.id} value={each.id}>{each.name || words.people.owner}</option>)}
                </select>
              </label>
              <label className="field">
                <span>{text.theyMay}</span>
                <RoleSelect
                  label={text.theyMay} role={role} onRole={setRole} testId="share-role" choices={['performer', 'teacher']}
                />
              </label>
              <p className="note">{text.rolesExplained[role]}</p>
            </>
          )}
          <Button
            kind="primary" icon="people" disabled={isBusy || isSame} data-testid="share-it" onClick={() => void share()}
          >
            {choice === 'me' ? text.takeBack : text.shareIt}
          </Button>
        </>
      )}
    </>
  );
}

/** Whether a group is of two people alone, without a name: one shares with the other, who has a role. */
function isOfTwo({ name, role: own, members }: Group, me: string, person: string, role: Role): boolean {
  return name === '' && own === 'owner' && members.length === 2 && members.some((member) => member.person === me)
    && members.some((member) => member.person === person && member.role === role);
}
