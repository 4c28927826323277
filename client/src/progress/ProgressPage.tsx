// The progress of a routine: the performance, the speed of each part against its target, and the minutes a week.

import { useState } from 'react';
import { useFromLibrary, useLibraryStatus, useServices } from '../services/services';
import { SyncNote } from '../status/SyncNote';
import type { Part, Routine } from '../sync/records';
import { Button, IconButton } from '../ui/Button';
import { remember, remembered } from '../ui/device';
import { Switch } from '../ui/Switch';
import { usePageTitle } from '../ui/usePageTitle';
import { useToday } from '../ui/useToday';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { LogLink } from './LogLink';
import { PartSpeed } from './PartSpeed';
import { PerformanceDay } from './PerformanceDay';
import './progress.css';
import { usePrintedLight } from './usePrintedLight';
import { useProgress, type RoutineProgress } from './useProgress';
import { Weeks } from './Weeks';

/** The page. */
export function ProgressPage({ routineId }: { readonly routineId: string }): JSX.Element {
  const { navigation } = useServices();
  const routine = useFromLibrary((library) => library.get('routine', routineId));
  const { loaded } = useLibraryStatus();
  usePageTitle(routine ? `${words.routines.progress}: ${routine.title}` : null);
  usePrintedLight();
  if (!routine) {
    return loaded
      ? (
        <main className="page-message" data-testid="progress-missing">
          <h1>{words.routinePage.missing}</h1>
          <p>{words.routinePage.missingWhy}</p>
          <Button kind="primary" icon="back" onClick={() => navigation.leave({ page: 'routines' })}>{words.routinePage.allRoutines}</Button>
        </main>
      )
      : <main className="page-message" aria-busy="true" />;
  }
  return (
    <div className="full-page progress-page" data-testid="progress-page">
      <header className="full-head progress-head">
        <IconButton
          icon="back" label={lateWords.progress.back} data-testid="progress-back"
          onClick={() => navigation.leave({ page: 'routine', routineId, partId: null })}
        />
        <h1>
          <small dir="auto">{routine.title}</small>
          {words.routines.progress}
        </h1>
      </header>
      <div className="progress-note"><SyncNote /></div>
      <main className="progress">
        <PerformanceDay routine={routine} />
        <Practised routine={routine} />
        <LogLink />
      </main>
    </div>
  );
}

/** What was practised, once it is derived. */
function Practised({ routine }: { readonly routine: Routine }): JSX.Element {
  const { navigation } = useServices();
  const today = useToday();
  const found = useProgress(routine.id, today);
  const parts = useFromLibrary((library) => library.parts(routine.id));
  const [areTables, setTables] = useState(() => remembered('progress') === 'tables');
  const said = lateWords.progress;
  if (found.state === 'loading') return <p className="progress-card" aria-busy="true">{words.common.loading}</p>;
  if (found.state === 'failed') {
    return (
      <div className="progress-card" role="alert" data-testid="progress-failed">
        <p>{said.failed}</p>
        <Button icon="retry" onClick={found.retry}>{words.common.retry}</Button>
      </div>
    );
  }
  const { progress } = found;
  if (progress.weeks.length === 0) {
    return (
      <section className="progress-card progress-empty" data-testid="progress-empty">
        <h2>{said.nothing}</h2>
        <p>{parts.length === 0 ? words.routinePage.isEmpty : said.nothingHow}</p>
        <Button
          kind="primary" icon={parts.length === 0 ? 'plus' : 'play'} data-testid="progress-practise"
          onClick={() => navigation.go(
            { page: 'routine', routineId: routine.id, partId: null }, parts.length === 0 ? { thenOpen: 'edit' } : {},
          )}
        >
          {parts.length === 0 ? words.routinePage.addSongs : said.practise}
        </Button>
      </section>
    );
  }
  const isAtTempo = ({ id }: Part): boolean => progress.parts.get(id)?.atTempoDay != null;
  return (
    <>
      <div className="progress-card progress-form">
        <Switch
          label={said.asTables} isOn={areTables} testId="progress-tables"
          onChange={() => {
            remember('progress', areTables ? 'pictures' : 'tables');
            setTables(!areTables);
          }}
        />
      </div>
      <PartGroup
        title={said.notAtTempo} testId="progress-not-at-tempo" all={parts} parts={parts.filter((part) => !isAtTempo(part))}
        {...{ progress, today, areTables }}
      />
      <PartGroup
        title={said.atTempo} testId="progress-at-tempo" all={parts} parts={parts.filter(isAtTempo)}
        {...{ progress, today, areTables }}
      />
      <Weeks weeks={progress.weeks} today={today} isTable={areTables} />
    </>
  );
}

interface PartGroupProps {
  readonly title: string;
  readonly testId: string;
  readonly all: readonly Part[];
  readonly parts: readonly Part[];
  readonly progress: RoutineProgress;
  readonly today: number;
  readonly areTables: boolean;
}

function PartGroup({ title, testId, all, parts, progress, today, areTables }: PartGroupProps): JSX.Element | null {
  if (parts.length === 0) return null;
  return (
    <section aria-label={title} data-testid={testId}>
      <h2>{title}</h2>
      <ul className="progress-parts">
        {parts.map((part) => (
          <PartSpeed
            key={part.id} part={part} rank={all.indexOf(part) + 1} progress={progress.parts.get(part.id) ?? null} today={today}
            isTable={areTables}
          />
        ))}
      </ul>
    </section>
  );
}
