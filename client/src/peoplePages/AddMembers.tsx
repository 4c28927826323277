// The sheet that takes people into a group, one press each; it stays open, so that many join one after the other.

import { useCallback, useRef, useState } from 'react';
import { setMember, type Group, type Person } from '../people/api';
import type { Role } from '../sync/wire';
import { announce } from '../ui/announce';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { attempt } from './attempt';
import { PersonDot, PersonName, personName } from './PersonName';
import { RoleSelect } from './RoleSelect';
import { Searched } from './Searched';

interface AddMembersProps {
  readonly group: Group;
  readonly title: string;
  readonly people: readonly Person[];
  /** The id of this device's person. */
  readonly me: string;
  /** Takes the group as the server has it after somebody has joined. */
  readonly onGroup: (group: Group) => void;
  readonly onClose: () => void;
}

/** The sheet. Those who were in the group before come last; who joins stays in place. */
export function AddMembers({ group, title, people, me, onGroup, onClose }: AddMembersProps): JSX.Element {
  const [role, setRole] = useState<Role>('performer');
  const [before] = useState(() => new Set(group.members.map(({ person }) => person)));
  const list = useRef<HTMLDivElement>(null);
  const text = lateWords.people;
  const roles = new Map(group.members.map((member) => [member.person, member.role]));
  const nameOf = useCallback((person: Person): string => personName(person, me), [me]);
  const rankOf = useCallback(({ id }: Person): number => Number(before.has(id)), [before]);
  const add = async (person: Person, isPointed: boolean): Promise<void> => {
    if (isPointed) typeNext(list.current);
    let joined: Group | null = null;
    await attempt(setMember(group.id, { person: person.id, role }).then((answer) => { joined = answer; }));
    if (joined === null) return;
    onGroup(joined);
    announce(text.hasJoined(nameOf(person)));
  };
  return (
    <Sheet
      title={text.addTo(title)} size="tall" onClose={onClose} testId="add-members-sheet"
      footer={<Button kind="primary" data-testid="members-done" onClick={onClose}>{words.common.done}</Button>}
    >
      <div className="people" ref={list}>
        <label className="field">
          <span>{text.role}</span>
          <RoleSelect label={text.role} role={role} onRole={setRole} testId="member-new-role" />
        </label>
        <p className="note">{text.rolesExplained[role]}</p>
        <Searched
          items={people} nameOf={nameOf} rankOf={rankOf} label={text.searchPeople} found={text.personCount}
          none={text.nobodyFound} isFirst testId="add-search"
        >
          {(rows) => (
            <ul className="rows" data-testid="add-rows">
              {rows.map((person) => {
                const now = roles.get(person.id);
                return (
                  <li key={person.id}>
                    <button
                      type="button" className="row" data-testid="add-row" aria-disabled={now !== undefined}
                      onClick={(event) => void (now === undefined && add(person, event.detail > 0))}
                    >
                      <PersonDot person={person} />
                      <span className="row-text">
                        <PersonName person={person} me={me} />
                        {now === undefined ? <span className="only-spoken">{text.addMember}</span> : <small>{text.roles[now]}</small>}
                      </span>
                      <Icon name={now === undefined ? 'plus' : 'check'} size={20} />
                    </button>
                  </li>
                );
              })}
            </ul>
          )}
        </Searched>
      </div>
    </Sheet>
  );
}

/** Lets the next name be typed over the one before. Who came by the keyboard stays at the row instead. */
function typeNext(list: HTMLElement | null): void {
  const field = list?.querySelector<HTMLInputElement>('input[type=search]');
  if (!field || field.value === '') return;
  field.focus({ preventScroll: true });
  field.select();
}
