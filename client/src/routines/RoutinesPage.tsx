// The first tab: all routines, with search, order, tags and layouts.

import { useDeferredValue, useMemo, useState, useSyncExternalStore } from 'react';
import { useFromLibrary, useLibrary, useLibraryStatus, useOffline, useServices, useSetting } from '../services/services';
import { Tip } from '../guide/Tip';
import { Button, IconButton } from '../ui/Button';
import { remembered } from '../ui/device';
import { Icon, Mark } from '../ui/Icon';
import { layoutName, nextLayout } from '../ui/layout';
import { NoResults } from '../ui/NoResults';
import { useIncrementalList } from '../ui/useIncrementalList';
import { words } from '../words/words';
import { beginRoutine } from './beginRoutine';
import { EmptyRoutines } from './EmptyRoutines';
import { ListTools } from './ListTools';
import { orderOf, shownRoutines, type Wanted } from './routineSearch';
import { RoutineCard } from './RoutineCard';
import './routines.css';
import './tags.css';
import { useDraft } from './useDraft';
import type { RoutineDraft } from '../uploads/draft';

/** The list of routines. */
export function RoutinesPage(): JSX.Element {
  const { drafts, navigation, library } = useServices();
  const routines = useFromLibrary((current) => current.all('routine'));
  const { loaded } = useLibraryStatus();
  const { Hint } = useOffline();
  const layout = useSetting('routinesLayout');
  const [wanted, setWanted] = useState<Wanted>(() => ({ search: '', tags: [], order: orderOf(remembered('routinesOrder')) }));
  const lookedFor = useDeferredValue(wanted);
  const spaces = useFromLibrary((current) => current.spaces);
  const shown = useMemo(() => shownRoutines(routines, lookedFor, spaces), [routines, lookedFor, spaces]);
  const [length, end] = useIncrementalList('routines');
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.current);
  const create = (): void => beginRoutine({ drafts, navigation });

  if (loaded && routines.length === 0) {
    return (
      <>
        <h1 className="only-spoken">{words.common.routines}</h1>
        {draft && <DraftNote draft={draft} onOpen={create} />}
        <EmptyRoutines onCreate={create} />
      </>
    );
  }
  const following = nextLayout(layout);
  return (
    <>
      <header className="page-head">
        <h1><span className="page-mark"><Mark size={34} /></span>{words.common.routines}</h1>
        <div className="page-actions">
          <IconButton
            icon={layout} data-testid="routines-layout"
            label={words.routines.layout(layoutName(layout), layoutName(following))}
            onClick={() => library.set('routinesLayout', following)}
          />
        </div>
      </header>
      <ListTools routines={routines} wanted={wanted} found={shown.length} onWanted={setWanted} />
      {Hint && <Hint />}
      {routines.length > 0 && (
        <Tip name="routine-menu">{words.routines.menuTip}</Tip>
      )}
      {draft && <DraftNote draft={draft} onOpen={create} />}
      {!loaded && routines.length === 0
        ? <CardSkeletons />
        : (
          <ul className={`routines routines-${layout}`} data-testid="routines" data-layout={layout}>
            {shown.slice(0, length).map((routine) => (
              <RoutineCard key={routine.id} routine={routine} isSmall={layout === 'three'} />
            ))}
          </ul>
        )}
      {/* Its key is new whenever the list has grown, so that it is observed anew. */}
      {shown.length > length && <div key={length} ref={end} className="list-end" />}
      {loaded && shown.length === 0 && (
        <NoResults what={words.routines.none} search={lookedFor.search} onClear={() => setWanted({ ...wanted, search: '', tags: [] })} />
      )}
      <div className="create-room" />
      <Button kind="primary" icon="plus" className="create-button" data-testid="create-routine" onClick={create}>
        {words.routines.newRoutine}
      </Button>
    </>
  );
}

function CardSkeletons(): JSX.Element {
  return (
    <ul className="routines routines-list" aria-busy="true" aria-label={words.common.loading}>
      {[1, 2, 3].map((key) => <li key={key} className="card-skeleton skeleton" />)}
    </ul>
  );
}

function DraftNote({ draft, onOpen }: { draft: RoutineDraft; onOpen: () => void }): JSX.Element | null {
  useDraft(draft);
  useLibrary();
  if (draft.isEmpty) return null;
  const title = draft.title.trim();
  const songs = draft.rows.length;
  return (
    <button type="button" className="draft-note" onClick={onOpen} data-testid="draft-note">
      <Icon name="edit" />
      <span>
        <b dir="auto">{title === '' ? words.routines.unfinished : words.routines.unfinishedTitle(title)}</b>
        <small>{songs === 0 ? words.routines.noSongs : words.routines.draft(songs, draft.unfinished)}</small>
      </span>
    </button>
  );
}
