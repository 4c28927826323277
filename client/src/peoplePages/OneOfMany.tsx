// With whom a routine is shared, where there are many people or groups: a search, and the first that it finds.

import { useCallback } from 'react';
import type { Group, Person } from '../people/api';
import { Choices } from '../ui/Choices';
import { lateWords } from '../words/lateWords';
import { fewRows } from './longLists';
import { personName } from './PersonName';
import { Searched } from './Searched';

interface ChoiceProps {
  /** The id that the routine is shared with now; it comes first. */
  readonly now: string | null;
  /** The id that is chosen. */
  readonly value: string | null;
  readonly onChoose: (id: string) => void;
}

interface OneOfManyProps<Item> extends ChoiceProps {
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly title: string;
  readonly search: string;
  readonly found: (count: number) => string;
  readonly none: string;
  readonly testId: string;
}

function OneOfMany<Item extends { readonly id: string }>(
  { items, nameOf, title, search, found, none, testId, now, value, onChoose }: OneOfManyProps<Item>,
): JSX.Element {
  const rankOf = useCallback(({ id }: Item): number => Number(id !== now), [now]);
  return (
    <section className="people" aria-label={title}>
      <h3>{title}</h3>
      <Searched
        items={items} nameOf={nameOf} rankOf={rankOf} label={search} found={found} none={none} first={fewRows}
        testId="share-search"
      >
        {(rows) => (
          <Choices
            legend={title} value={value} form="column" testId={testId} onChoose={onChoose}
            choices={rows.map((item) => ({ value: item.id, label: nameOf(item) }))}
          />
        )}
      </Searched>
    </section>
  );
}

/** The choice of a person. */
export function PersonChoice({ people, me, ...choice }: ChoiceProps & {
  readonly people: readonly Person[]; readonly me: string;
}): JSX.Element {
  const nameOf = useCallback((person: Person): string => personName(person, me), [me]);
  const { withWhom, searchPeople, personCount, nobodyFound } = lateWords.people;
  return (
    <OneOfMany
      {...choice} items={people} nameOf={nameOf} title={withWhom} search={searchPeople} found={personCount}
      none={nobodyFound} testId="share-people"
    />
  );
}

const nameOfGroup = ({ name }: Group): string => name;

/** The choice of a group. */
export function GroupChoice({ groups, ...choice }: ChoiceProps & { readonly groups: readonly Group[] }): JSX.Element {
  const { withWhichGroup, searchGroups, groupCount, noGroupFound } = lateWords.people;
  return (
    <OneOfMany
      {...choice} items={groups} nameOf={nameOfGroup} title={withWhichGroup} search={searchGroups} found={groupCount}
      none={noGroupFound} testId="share-groups"
    />
  );
}
