// All routines as a plain list, for editing.

import { useDeferredValue, useMemo, useState } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import { spaceNameOf } from '../people/spaceName';
import { shownRoutines } from '../routines/routineSearch';
import { RoutineMenu } from '../routines/RoutineMenu';
import { Button } from '../ui/Button';
import { NoResults } from '../ui/NoResults';
import { SearchField } from '../ui/SearchField';
import { useIncrementalList } from '../ui/useIncrementalList';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { NothingYet, SettingsSubpage } from './SettingsSubpage';

/** The page. */
export function AllRoutinesPage(): JSX.Element {
  const { library, navigation, drafts } = useServices();
  const routines = useFromLibrary((current) => current.all('routine'));
  const [search, setSearch] = useState('');
  const lookedFor = useDeferredValue(search);
  const spaces = useFromLibrary((current) => current.spaces);
  const shown = useMemo(
    () => shownRoutines(routines, { search: lookedFor, tags: [], order: 'title' }, spaces), [routines, lookedFor, spaces],
  );
  const [length, end] = useIncrementalList('settings-routines');
  const create = (): void => {
    drafts.open();
    navigation.open('create');
  };
  const { settings } = lateWords;
  if (routines.length === 0) {
    return (
      <SettingsSubpage title={words.common.routines}>
        <NothingYet action={<Button kind="primary" icon="plus" onClick={create}>{settings.createFirstRoutine}</Button>}>
          {settings.noRoutinesYet}
        </NothingYet>
      </SettingsSubpage>
    );
  }
  return (
    <SettingsSubpage title={words.common.routines}>
      <SearchField
        label={settings.searchRoutines} value={search} found={settings.routineCount(shown.length)}
        testId="room-search" onChange={setSearch}
      />
      {shown.length === 0 && (
        <NoResults what={settings.noRoutine} search={lookedFor} onClear={() => setSearch('')} />
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
                {routine.space !== undefined && <small dir="auto">{spaceNameOf(spaces, routine)}</small>}
                <small>{settings.partCount(library.parts(routine.id).length)}</small>
              </span>
              <span className="only-spoken">{words.common.edit}</span>
            </button>
            <RoutineMenu routine={routine} />
          </li>
        ))}
      </ul>
      {shown.length > length && <div key={length} ref={end} className="list-end" />}
    </SettingsSubpage>
  );
}
