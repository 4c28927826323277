// The sheet of run-throughs: starts one, and lists those before.

import { useMemo } from 'react';
import { partAudio } from '../parts/partAudio';
import { RunSpeed } from '../player/RunSpeed';
import type { PracticeExports } from '../generated/practice';
import { useFromLibrary, useServices } from '../services/services';
import type { Part, Routine, RunThrough } from '../sync/records';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Sheet } from '../ui/Sheet';
import { useIncrementalList } from '../ui/useIncrementalList';
import { dateText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { runsOf } from './runs';
import { runSummary } from './runSummary';
import './runThroughs.css';
import { useLog, usePractice } from './usePractice';

interface RunThroughSheetProps {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  readonly index: number;
  readonly percent: number;
  readonly onPercent: (percent: number) => void;
  /** Starts with a part. */
  readonly onStart: (index: number) => void;
  readonly onClose: () => void;
}

/** The sheet. */
export function RunThroughSheet({
  routine, parts, index, percent, onPercent, onStart, onClose,
}: RunThroughSheetProps): JSX.Element {
  const canPlay = useFromLibrary((library) => parts.some((part) => (
    partAudio(part, part.track ? library.get('track', part.track) : undefined).kind === 'ready'
  )));
  const said = lateWords.runThrough;
  return (
    <Sheet title={said.title} onClose={onClose} testId="run-throughs">
      <p className="runs-explain">{said.explain}</p>
      <RunSpeed percent={percent} onPercent={onPercent} />
      <div className="runs-start">
        <Button kind="primary" icon="play" data-first="" data-testid="run-start" disabled={!canPlay} onClick={() => onStart(0)}>
          {words.routinePage.fromStart}
        </Button>
        {index > 0 && (
          <Button icon="next" data-testid="run-start-part" disabled={!canPlay} onClick={() => onStart(index)}>
            {words.routinePage.fromPart(index + 1)}
          </Button>
        )}
      </div>
      <Past routineId={routine.id} parts={parts} />
    </Sheet>
  );
}

function Past({ routineId, parts }: { routineId: string; parts: readonly Part[] }): JSX.Element | null {
  const isOpen = useLog();
  const practice = usePractice();
  const all = useFromLibrary((library) => library.all('runThrough'));
  const runs = useMemo(() => runsOf(all, routineId), [all, routineId]);
  const [shown, end] = useIncrementalList(`runThroughs.${routineId}`);
  const said = lateWords.runThrough;
  if (!isOpen || !practice) return null;
  return (
    <>
      <h3>{said.past}</h3>
      {runs.length === 0 && <p className="runs-none">{said.none}</p>}
      <ul className="rows" data-testid="run-list">
        {runs.slice(0, shown).map((run) => <li key={run.id}><RunRow run={run} parts={parts} practice={practice} /></li>)}
      </ul>
      <div ref={end} />
    </>
  );
}

function RunRow({ run, parts, practice }: { run: RunThrough; parts: readonly Part[]; practice: PracticeExports }): JSX.Element {
  const { navigation } = useServices();
  return (
    <button
      type="button" className="row" aria-haspopup="dialog" data-testid="run-row"
      onClick={() => navigation.open(`review:${run.id}`)}
    >
      <span className="row-text">
        <b>{dateText(run.startedAt, true)}</b>
        <small>{runSummary(run, parts, practice)}</small>
      </span>
      <Icon name="next" size={20} />
    </button>
  );
}
