// All routines as a plain list, to be edited.

import { useDeferredValue, useMemo, useState } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import { shownRoutines } from '../routines/list';
import { RoutineMenu } from '../routines/RoutineMenu';
import { Button } from '../ui/Button';
import { NothingFound } from '../ui/NothingFound';
import { SearchField } from '../ui/SearchField';
import { plural } from '../ui/time';
import { useGrowing } from '../ui/useGrowing';
import { NothingYet, Room } from './Room';

/** The page. */
export function RoutinesRoom(): JSX.Element {
  const { library, navigation, drafts } = useServices();
  const routines = useFromLibrary((current) => current.all('routine'));
  const [search, setSearch] = useState('');
  const lookedFor = useDeferredValue(search);
  const shown = useMemo(() => shownRoutines(routines, lookedFor, 'title'), [routines, lookedFor]);
  const [length, end] = useGrowing('settings-routines');
  const create = (): void => {
    drafts.open();
    navigation.open('create');
  };
  if (routines.length === 0) {
    return (
      <Room title="Routines">
        <NothingYet action={<Button kind="primary" icon="plus" onClick={create}>Create your first routine</Button>}>
          There are no routines yet.
        </NothingYet>
      </Room>
    );
  }
  return (
    <Room title="Routines">
      <SearchField
        label="Search routines" value={search} found={plural(shown.length, 'routine')}
        testId="room-search" onChange={setSearch}
      />
      {shown.length === 0 && (
        <NothingFound what="No routine" search={lookedFor} onClear={() => setSearch('')} />
      )}
      <ul className="rows" hidden={shown.length === 0} data-testid="routine-rows">
        {shown.slice(0, length).map((routine) => (
          <li key={routine.id} className="row-holder">
            <button
              type="button" className="row" data-testid="routine-row"
              onClick={() => navigation.go({ page: 'routine', routineId: routine.id, partId: null }, { thenOpen: 'edit' })}
            >
              <span className="row-text">
                <b dir="auto">{routine.title}</b>
                {routine.subtitle && <small dir="auto">{routine.subtitle}</small>}
                <small>{plural(library.parts(routine.id).length, 'part')}</small>
              </span>
              <span className="only-spoken">Edit</span>
            </button>
            <RoutineMenu routine={routine} />
          </li>
        ))}
      </ul>
      {shown.length > length && <div key={length} ref={end} className="list-end" />}
    </Room>
  );
}
