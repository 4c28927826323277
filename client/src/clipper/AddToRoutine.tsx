// Chooses the routine that the clips are added to.

import { useMemo, useState } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import type { Track } from '../sync/records';
import { Button } from '../ui/Button';
import { searchFor } from '../ui/search';
import { NoResults } from '../ui/NoResults';
import { SearchField } from '../ui/SearchField';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { addToRoutine } from './actions';

/** The number of routines shown at once; the search finds the others. */
const most = 50;

/** The sheet with the routines. */
export function AddToRoutine({ track, onClose }: { track: Track; onClose: () => void }): JSX.Element {
  const { library, navigation } = useServices();
  const said = lateWords.clipper;
  const all = useFromLibrary((current) => current.all('routine'));
  // A routine plays only what is where it is itself.
  const routines = useMemo(() => all.filter(({ space }) => space === track.space), [all, track.space]);
  const [search, setSearch] = useState('');
  const shown = searchFor(routines, search, (routine) => routine.title, (routine) => routine.subtitle ?? '');
  return (
    <Sheet title={said.addClipsTo} onClose={onClose} testId="add-to-routine-sheet">
      {routines.length === 0 && (
        <div className="stack">
          <p>{said.noRoutines}</p>
          <Button
            kind="primary" icon="routines" data-testid="make-routine-instead"
            onClick={() => {
              onClose();
              navigation.open('makeRoutine');
            }}
          >
            {said.makeRoutine}
          </Button>
        </div>
      )}
      {routines.length > 7 && (
        <SearchField
          label={said.searchRoutines} value={search} found={said.counted.routine(shown.length)}
          testId="add-search" onChange={setSearch}
        />
      )}
      {routines.length > 0 && shown.length === 0 && (
        <NoResults what={said.noRoutine} search={search} onClear={() => setSearch('')} />
      )}
      <ul className="rows" hidden={shown.length === 0}>
        {shown.slice(0, most).map((routine) => (
          <li key={routine.id}>
            <button
              type="button" className="row" data-testid="add-to-this"
              onClick={() => {
                addToRoutine(library, track, routine.id);
                onClose();
              }}
            >
              <span className="row-text">
                <b dir="auto">{routine.title}</b>
                <small>{said.counted.part(library.parts(routine.id).length)}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
