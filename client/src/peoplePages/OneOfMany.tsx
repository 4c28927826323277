// With whom a routine is shared, where there are many people or groups: a search, and the first that it finds.

import { useCallback } from 'react';
import type { Group, Person } from '../people/api';
import { Choices } from '../ui/Choices';
import { lateWords } from '../words/lateWords';
import { fewRows } from './longLists';
import { personName } from './PersonName';
import { Searched } from './Searched';

interface OneOfManyProps {
  /** The id that the routine is shared with now. */
  readonly now: string | null;
  /** The id that is chosen. */
  readonly value: string | null;
  readonly onChoose: (id: string) => void;
}

/** The choice of a person; the one with whom it is shared now comes first. */
export function PersonChoice({ people, me, now, value, onChoose }: OneOfManyProps & {
  readonly people: readonly Person[]; readonly me: string;
}): JSX.Element {
  const called = useCallback((person: Person): string => personName(person, me), [me]);
  const rankOf = useCallback(({ id }: Person): number => Number(id !== now), [now]);
  const text = lateWords.people;
  return (
    <section className="people" aria-label={text.withWhom}>
      <h3>{text.withWhom}</h3>
      <Searched
        items={people} nameOf={called} rankOf={rankOf} label={text.searchPeople} found={text.personCount}
        none={text.nobodyFound} first={fewRows} testId="share-search"
      >
        {(rows) => (
          <Choices
            legend={text.withWhom} value={value} form="column" testId="share-people" onChoose={onChoose}
            choices={rows.map((person) => ({ value: person.id, label: called(person) }))}
          />
        )}
      </Searched>
    </section>
  );
}

/** The choice of a group; the one with which it is shared now comes first. */
export function GroupChoice({ groups, now, value, onChoose }: OneOfManyProps & { readonly groups: readonly Group[] }): JSX.Element {
  const called = useCallback(({ name }: Group): string => name, []);
  const rankOf = useCallback(({ id }: Group): number => Number(id !== now), [now]);
  const text = lateWords.people;
  return (
    <section className="people" aria-label={text.withWhichGroup}>
      <h3>{text.withWhichGroup}</h3>
      <Searched
        items={groups} nameOf={called} rankOf={rankOf} label={text.searchGroups} found={text.groupCount}
        none={text.noGroupFound} first={fewRows} testId="share-search"
      >
        {(rows) => (
          <Choices
            legend={text.withWhichGroup} value={value} form="column" testId="share-groups" onChoose={onChoose}
            choices={rows.map((group) => ({ value: group.id, label: group.name }))}
          />
        )}
      </Searched>
    </section>
  );
}
