// The sheet that says who sees a routine, and shares it with a group or with one person.

import { useMemo, useState } from 'react';
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
import { nameOf } from './GroupsPage';
import { byId, isLong } from './longLists';
import { GroupChoice, PersonChoice } from './OneOfMany';
import { RoleSelect } from './RoleSelect';
import { useGroups, useMe, usePeople } from './usePeople';
import { WhoSees } from './WhoSees';

/** Who is to see the routine: one's own alone, one person, one of many groups, or the id of one of a few. */
type Choice = 'me' | 'person' | 'group' | string;

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
  const known = useMemo(() => byId(people), [people]);
  const now = groups.find(({ id }) => id === space);
  const single = now?.name === '' ? now : undefined;
  const partner = single?.members.find(({ person }) => person !== me);
  const others = useMemo(() => people.filter(({ id }) => id !== me), [people, me]);
  const named = useMemo(() => groups.filter(({ name, role: own }) => name !== '' && own !== 'performer'), [groups]);
  const hasManyGroups = isLong(named.length);
  const [choice, setChoice] = useState<Choice>(single ? 'person' : space === null ? 'me' : hasManyGroups ? 'group' : space);
  const [group, setGroup] = useState(single ? null : space);
  // Of many, nobody is chosen by chance.
  const [person, setPerson] = useState(partner?.person ?? (isLong(others.length) ? null : others[0]?.id ?? null));
  const [role, setRole] = useState<Role>(partner?.role === 'teacher' ? 'teacher' : 'performer');
  const [isBusy, setBusy] = useState(false);
  const text = lateWords.people;
  const existing = groups.find((each) => person !== null && isOfTwo(each, me, person, role));
  /** The space to share in; undefined if it is not made yet. */
  const target = choice === 'me' ? null : choice === 'person' ? existing?.id : choice === 'group' ? group : choice;
  const isChosen = choice === 'person' ? person !== null : choice !== 'group' || group !== null;
  const isSame = target === space;
  const withWhom = choice === 'person'
    ? known.get(person ?? '')?.name || words.people.owner
    : named.find(({ id }) => id === target)?.name ?? '';
  /** Whether the choice may be out of sight. */
  const isSearched = choice === 'group' || (choice === 'person' && isLong(others.length));
  const share = async (): Promise<void> => {
    setBusy(true);
    // The server moves what it has.
    await library.refresh();
    const move = async (): Promise<void> => {
      const to = target === undefined && person !== null ? (await makeGroup('', [{ person, role }])).id : target ?? null;
      await moveRoutine(routine.id, to);
    };
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
      {now && <WhoSees group={now} people={known} me={me} />}
      {!mayEdit && <p className="note" data-testid="share-read-only">{text.readOnly}</p>}
      {mayEdit && (
        <>
          <Choices<Choice>
            legend={text.whoSees} value={choice} form="column" testId="share-choice" onChoose={setChoice}
            choices={[
              { value: 'me', label: text.onlyMe },
              ...(hasManyGroups
                ? [{ value: 'group', label: text.aGroup }]
                : named.map((each) => ({ value: each.id, label: nameOf(each, known, me) }))),
              { value: 'person', label: text.onePerson },
            ]}
          />
          {choice === 'group' && <GroupChoice groups={named} now={space} value={group} onChoose={setGroup} />}
          {choice === 'person' && (
            <>
              {isLong(others.length)
                ? <PersonChoice people={others} now={partner?.person ?? null} value={person} me={me} onChoose={setPerson} />
                : (
                  <label className="field">
                    <span>{text.withWhom}</span>
                    <select
                      className="input select" value={person ?? ''} data-testid="share-person"
                      onChange={(event) => setPerson(event.target.value)}
                    >
                      {others.map((each) => <option key={each.id} value={each.id}>{each.name || words.people.owner}</option>)}
                    </select>
                  </label>
                )}
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
            kind="primary" icon="people" disabled={isBusy || isSame || !isChosen} data-testid="share-it"
            onClick={() => void share()}
          >
            {choice === 'me' ? text.takeBack : isSearched && isChosen ? text.shareWith(withWhom) : text.shareIt}
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
