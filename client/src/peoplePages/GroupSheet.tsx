// The sheet of a group: its name and its members; who runs it changes them.

import { useState } from 'react';
import {
  longestGroupName, removeGroup, removeMember, renameGroup, setMember, type Group, type Member, type Person,
} from '../people/api';
import type { Role } from '../sync/wire';
import { excess } from '../sync/validation';
import { Button, IconButton } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { LimitedField } from '../ui/LimitedField';
import { Sheet } from '../ui/Sheet';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { attempt } from './attempt';
import { PersonDot, PersonName, personName } from './PersonName';

/** The roles, the one that most have first. */
export const roles: readonly Role[] = ['performer', 'teacher', 'owner'];

interface GroupSheetProps {
  readonly group: Group;
  readonly title: string;
  readonly people: readonly Person[];
  /** The id of this device's person. */
  readonly me: string;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

/** The sheet. */
export function GroupSheet({ group, title, people, me, onChanged, onClose }: GroupSheetProps): JSX.Element {
  const [name, setName] = useState(group.name);
  const [asks, setAsks] = useState<'leave' | 'delete' | { readonly out: string } | null>(null);
  const text = lateWords.people;
  const runs = group.role === 'owner';
  const isAlone = group.members.filter(({ role }) => role === 'owner').length === 1;
  const others = people.filter(({ id }) => !group.members.some(({ person }) => person === id));
  const nameFor = (person: string): string => personName(people.find(({ id }) => id === person), me);
  const change = async (work: Promise<unknown>): Promise<void> => {
    await attempt(work);
    await onChanged();
  };
  const isRenamed = runs && name.trim() !== group.name && name.trim() !== '' && excess(name, longestGroupName) === null;
  /** What ends the sheet: leaving or deleting. */
  const end = async (work: Promise<unknown>, said: string): Promise<void> => {
    const isDone = await attempt(work);
    if (isDone) onClose();
    await onChanged();
    if (isDone) toasts.say(said);
  };
  return (
    <Sheet
      title={title} size="tall" onClose={onClose} testId="group-sheet"
      footer={(
        <Button
          kind="primary" data-testid="group-done"
          onClick={() => void (isRenamed ? change(renameGroup(group.id, name)) : Promise.resolve()).then(onClose)}
        >
          {words.common.done}
        </Button>
      )}
    >
      <div className="people">
        {runs && group.name !== '' && (
          <LimitedField label={text.groupName} value={name} limit={longestGroupName} testId="group-name" onChange={setName} />
        )}
        <ul className="rows" aria-label={text.members} data-testid="members">
          {group.members.map((member) => (
            <MemberRow
              key={member.person} member={member} person={people.find(({ id }) => id === member.person)} me={me}
              mayChange={runs && !(member.role === 'owner' && isAlone)}
              onRole={(role) => void change(setMember(group.id, { person: member.person, role }))}
              onOut={() => setAsks({ out: member.person })}
            />
          ))}
        </ul>
        {runs && others.length > 0 && (
          <NewMember people={others} onAdd={(member) => change(setMember(group.id, member))} />
        )}
        {!(group.role === 'owner' && isAlone) && (
          <Button data-testid="group-leave" onClick={() => setAsks('leave')}>{text.leave}</Button>
        )}
        {runs && (
          <Button kind="quiet" icon="trash" className="is-dangerous" data-testid="group-delete" onClick={() => setAsks('delete')}>
            {text.deleteGroup}
          </Button>
        )}
      </div>
      {asks !== null && typeof asks === 'object' && (
        <Confirm
          title={text.takeOutQuestion(nameFor(asks.out))} action={text.takeOutIt} onClose={() => setAsks(null)}
          onConfirm={() => void change(removeMember(group.id, asks.out))}
        >
          {text.takeOutExplained}
        </Confirm>
      )}
      {asks === 'leave' && (
        <Confirm
          title={text.leaveQuestion} action={text.leaveIt} onClose={() => setAsks(null)}
          onConfirm={() => void end(removeMember(group.id, me), text.hasLeft)}
        >
          {text.leaveExplained}
        </Confirm>
      )}
      {asks === 'delete' && (
        <Confirm
          title={text.deleteQuestion} action={words.common.delete} onClose={() => setAsks(null)}
          onConfirm={() => void end(removeGroup(group.id), text.isDeleted)}
        >
          {text.deleteExplained}
        </Confirm>
      )}
    </Sheet>
  );
}

interface MemberRowProps {
  readonly member: Member;
  readonly person: Person | undefined;
  readonly me: string;
  readonly mayChange: boolean;
  readonly onRole: (role: Role) => void;
  readonly onOut: () => void;
}

function MemberRow({ member, person, me, mayChange, onRole, onOut }: MemberRowProps): JSX.Element {
  const text = lateWords.people;
  const name = personName(person, me);
  return (
    <li className="member-row" data-testid="member-row">
      <PersonDot person={person} />
      <span className="row-text">
        <PersonName person={person} me={me} />
        {!mayChange && <small>{text.roles[member.role]}</small>}
      </span>
      {mayChange && (
        <span className="member-tools">
          <RoleSelect label={text.roleOf(name)} role={member.role} onRole={onRole} testId="member-role" />
          {member.person !== me && <IconButton icon="close" label={text.takeOut(name)} data-testid="member-out" onClick={onOut} />}
        </span>
      )}
    </li>
  );
}

/** The choice of a role. */
export function RoleSelect({ label, role, onRole, testId, choices = roles }: {
  readonly label: string;
  readonly role: Role;
  readonly onRole: (role: Role) => void;
  readonly testId: string;
  readonly choices?: readonly Role[];
}): JSX.Element {
  return (
    <select
      className="input select" aria-label={label} value={role} data-testid={testId}
      onChange={(event) => onRole(event.target.value as Role)}
    >
      {choices.map((each) => <option key={each} value={each}>{lateWords.people.roles[each]}</option>)}
    </select>
  );
}

function NewMember({ people, onAdd }: {
  readonly people: readonly Person[]; readonly onAdd: (member: Member) => Promise<void>;
}): JSX.Element {
  const [chosen, setChosen] = useState('');
  const [role, setRole] = useState<Role>('performer');
  const text = lateWords.people;
  const person = people.find(({ id }) => id === chosen) ?? people[0];
  return (
    <section className="member-new" aria-label={text.addMember}>
      <label className="field">
        <span>{text.person}</span>
        <select
          className="input select" value={person?.id ?? ''} data-testid="member-person"
          onChange={(event) => setChosen(event.target.value)}
        >
          {people.map((each) => <option key={each.id} value={each.id}>{each.name || words.people.owner}</option>)}
        </select>
      </label>
      <label className="field">
        <span>{text.role}</span>
        <RoleSelect label={text.role} role={role} onRole={setRole} testId="member-new-role" />
      </label>
      <p className="note">{text.rolesExplained[role]}</p>
      <Button icon="plus" data-testid="member-add" onClick={() => person && void onAdd({ person: person.id, role })}>
        {text.addMember}
      </Button>
    </section>
  );
}
