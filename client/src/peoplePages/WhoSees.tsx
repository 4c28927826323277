// The people who see a routine, and what they may do.

import { useMemo } from 'react';
import type { Group, Person } from '../people/api';
import { lateWords } from '../words/lateWords';
import { fewRows, isLong, listed, mostWithoutSearch } from './longLists';
import { PersonDot, PersonName, personName } from './PersonName';
import { Limited } from './Searched';

/** The members of the routine's group, this device's person first; of many only the beginning at first. */
export function WhoSees({ group, people, me }: {
  readonly group: Group; readonly people: ReadonlyMap<string, Person>; readonly me: string;
}): JSX.Element {
  const text = lateWords.people;
  const members = useMemo(() => listed(
    group.members.map((member) => ({ ...member, id: member.person })), '',
    ({ id }) => personName(people.get(id), me), ({ id }) => Number(id !== me),
  ), [group.members, people, me]);
  return (
    <section className="people" aria-label={text.sees}>
      <h3>{text.sees}</h3>
      <Limited items={members} first={isLong(members.length) ? fewRows : mostWithoutSearch}>
        {(rows) => (
          <ul className="who-sees" data-testid="who-sees">
            {rows.map((member) => (
              <li key={member.id}>
                <PersonDot person={people.get(member.id)} />
                <span className="row-text">
                  <PersonName person={people.get(member.id)} me={me} />
                  <small>{text.roles[member.role]}</small>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Limited>
    </section>
  );
}
