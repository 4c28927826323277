// The sheet of a group: its name and its members; who runs it changes them.

import { useCallback, useMemo, useState } from 'react';
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
import { AddMembers } from './AddMembers';
import { attempt } from './attempt';
import { byId } from './longLists';
import { PersonDot, PersonName, personName } from './PersonName';
import { RoleSelect } from './RoleSelect';
import { Searched } from './Searched';

interface GroupSheetProps {
  readonly group: Group;
  readonly title: string;
  readonly people: readonly Person[];
  /** The id of this device's person. */
  readonly me: string;
  readonly onChanged: () => Promise<void>;
  /** Takes the group as the server has it after a change. */
  readonly onGroup: (group: Group) => void;
  readonly onClose: () => void;
}

/** The sheet. */
export function GroupSheet({ group, title, people, me, onChanged, onGroup, onClose }: GroupSheetProps): JSX.Element {
  const [name, setName] = useState(group.name);
  const [asks, setAsks] = useState<'add' | 'leave' | 'delete' | { readonly out: string } | null>(null);
  const text = lateWords.people;
  const runs = group.role === 'owner';
  const isAlone = group.members.filter(({ role }) => role === 'owner').length === 1;
  const known = useMemo(() => byId(people), [people]);
  const nameFor = useCallback((person: string): string => personName(known.get(person), me), [known, me]);
  const nameOf = useCallback(({ person }: Member): string => nameFor(person), [nameFor]);
  // Not by role: a row would jump away when its role is chosen.
  const rankOf = useCallback(({ person }: Member): number => Number(person !== me), [me]);
  const members = useMemo(() => group.members.map((member) => ({ ...member, id: member.person })), [group.members]);
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
        {runs && people.length > members.length && (
          <Button icon="plus" aria-haspopup="dialog" data-testid="member-add" onClick={() => setAsks('add')}>{text.addMember}</Button>
        )}
        <Searched
          items={members} nameOf={nameOf} rankOf={rankOf} label={text.searchPeople} found={text.personCount}
          none={text.nobodyFound} testId="members-search"
        >
          {(rows) => (
            <ul className="rows" aria-label={text.members} data-testid="members">
              {rows.map((member) => (
                <MemberRow
                  key={member.person} member={member} person={known.get(member.person)} me={me}
                  mayChange={runs && !(member.role === 'owner' && isAlone)}
                  onRole={(role) => void change(setMember(group.id, { person: member.person, role }))}
                  onOut={() => setAsks({ out: member.person })}
                />
              ))}
            </ul>
          )}
        </Searched>
        {!(group.role === 'owner' && isAlone) && (
          <Button data-testid="group-leave" onClick={() => setAsks('leave')}>{text.leave}</Button>
        )}
        {runs && (
          <Button kind="quiet" icon="trash" className="is-dangerous" data-testid="group-delete" onClick={() => setAsks('delete')}>
            {text.deleteGroup}
          </Button>
        )}
      </div>
      {asks === 'add' && (
        <AddMembers
          group={group} title={title} people={people} me={me} onGroup={onGroup} onClose={() => setAsks(null)}
        />
      )}
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
