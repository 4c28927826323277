// All routines as a plain list, for editing.

import { useDeferredValue, useMemo, useState } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import { shownRoutines } from '../routines/routineSearch';
import { RoutineMenu } from '../routines/RoutineMenu';
import { Button } from '../ui/Button';
import { NoResults } from '../ui/NoResults';
import { SearchField } from '../ui/SearchField';
import { plural } from '../ui/time';
import { useIncrementalList } from '../ui/useIncrementalList';
import { NothingYet, SettingsSubpage } from './SettingsSubpage';

/** The page. */
export function AllRoutinesPage(): JSX.Element {
  const { library, navigation, drafts } = useServices();
  const routines = useFromLibrary((current) => current.all('routine'));
  const [search, setSearch] = useState('');
  const lookedFor = useDeferredValue(search);
  const shown = useMemo(() => shownRoutines(routines, lookedFor, 'title'), [routines, lookedFor]);
  const [length, end] = useIncrementalList('settings-routines');
  const create = (): void => {
    drafts.open();
    navigation.open('create');
  };
  if (routines.length === 0) {
    return (
      <SettingsSubpage title="Routines">
        <NothingYet action={<Button kind="primary" icon="plus" onClick={create}>Create your first routine</Button>}>
          There are no routines yet.
        </NothingYet>
      </SettingsSubpage>
    );
  }
  return (
    <SettingsSubpage title="Routines">
      <SearchField
        label="Search routines" value={search} found={plural(shown.length, 'routine')}
        testId="room-search" onChange={setSearch}
      />
      {shown.length === 0 && (
        <NoResults what="No routine" search={lookedFor} onClear={() => setSearch('')} />
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
    </SettingsSubpage>
  );
}
