// The review of a run-through: what was missed on a strip of the routine, as a list to change, and a note.

import { useMemo, useState } from 'react';
import type { PracticeExports } from '../generated/practice';
import { practicePartOf } from '../parts/practiceParts';
import { useRun } from '../parts/useRun';
import { parseCovered, parseMisses } from '../practice/misses';
import { EarlierVersions } from '../services/EarlierVersions';
import { useFromLibrary, useLibrary, useServices } from '../services/services';
import type { Part, Routine, RunThrough } from '../sync/records';
import { limits, validateFields } from '../sync/validation';
import { AutoGrowTextarea } from '../ui/AutoGrowTextarea';
import { Button, IconButton } from '../ui/Button';
import { Sheet } from '../ui/Sheet';
import { plainLines } from '../ui/text';
import { TooLong } from '../ui/TooLong';
import { dateText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { missText } from './missText';
import { ReviewStrip } from './ReviewStrip';
import './runThroughs.css';
import { removeRun, runBefore, takeBack } from './runs';
import { runSummary } from './runSummary';
import { useLog, usePractice } from './usePractice';
import { useRoutineCounts } from './useRoutineCounts';

interface ReviewProps {
  readonly runId: string;
  readonly routine: Routine;
  readonly parts: readonly Part[];
  readonly onClose: () => void;
}

/** The sheet; it waits for the log, and says so if the run-through is gone. */
export function Review({ runId, routine, parts, onClose }: ReviewProps): JSX.Element {
  const practice = usePractice();
  const isOpen = useLog();
  const run = useFromLibrary((library) => library.get('runThrough', runId));
  const said = lateWords.runThrough;
  return (
    <Sheet title={run ? said.reviewOf(dateText(run.startedAt, true)) : said.title} onClose={onClose} size="tall" testId="run-review">
      {run && practice && <Content run={run} routine={routine} parts={parts} practice={practice} onClose={onClose} />}
      {!run && isOpen && <p>{said.isGone}</p>}
    </Sheet>
  );
}

interface ContentProps extends Omit<ReviewProps, 'runId'> {
  readonly run: RunThrough;
  readonly practice: PracticeExports;
}

function Content({ run, routine, parts, practice, onClose }: ContentProps): JSX.Element {
  const { library, navigation } = useServices();
  // The names of moves may change on another device.
  useLibrary();
  const { counts, loader } = useRoutineCounts(parts);
  const whole = useRun(routine.id, parts);
  const all = useFromLibrary((current) => current.all('runThrough'));
  const before = useMemo(() => runBefore(all, run), [all, run]);
  const misses = useMemo(() => parseMisses(practice, run.misses ?? ''), [practice, run.misses]);
  const earlier = useMemo(() => parseMisses(practice, before?.misses ?? ''), [practice, before?.misses]);
  const covered = useMemo(() => parseCovered(practice, run.covered ?? ''), [practice, run.covered]);
  const line = useMemo(() => whole && {
    stretches: whole.stretches, partIds: whole.indices.map((index) => parts[index]?.id ?? ''),
  }, [whole, parts]);
  const said = lateWords.runThrough;
  return (
    <>
      {loader}
      <p className="review-summary">{runSummary(run, parts, practice)}</p>
      {line && (
        <ReviewStrip
          runId={run.id} line={line} parts={parts} practiceParts={parts.map((part) => practicePartOf(library, counts, part))}
          counts={counts} practice={practice} covered={covered} misses={misses} earlier={earlier}
        />
      )}
      {before && <p className="review-legend"><i aria-hidden="true" />{said.before(dateText(before.startedAt), earlier.length)}</p>}
      <h3>{said.misses(misses.length)}</h3>
      <ul className="review-misses" data-testid="review-misses">
        {misses.map((miss) => {
          const { title, place } = missText(library, counts, parts, miss);
          return (
            <li key={`${miss.partId} ${miss.frame} ${miss.moveId}`} data-testid="review-miss">
              <span className="row-text"><b dir="auto">{title}</b><small dir="auto">{place}</small></span>
              <IconButton
                icon="close" label={said.takeBackOf(title)} data-testid="review-take-back"
                onClick={() => takeBack(library, practice, run.id, miss, title)}
              />
            </li>
          );
        })}
      </ul>
      {misses.length > 0 && (
        <Button
          icon="goal" data-testid="review-practise"
          onClick={() => navigation.go({ page: 'routine', routineId: routine.id, partId: null }, { replace: true, thenOpen: 'practise' })}
        >
          {said.practise}
        </Button>
      )}
      <h3 id="review-note">{said.note}</h3>
      <Notes run={run} />
      <Button
        kind="quiet" icon="trash" data-testid="review-delete"
        onClick={() => {
          removeRun(library, run);
          onClose();
        }}
      >
        {said.remove}
      </Button>
    </>
  );
}

/** The note, which saves on every input. */
function Notes({ run }: { run: RunThrough }): JSX.Element {
  const { library } = useServices();
  const [refused, setRefused] = useState<string | null>(null);
  const said = lateWords.runThrough;
  return (
    <>
      <AutoGrowTextarea
        className="review-notes" value={refused ?? run.notes ?? ''} limit={limits.runThrough.notes}
        aria-labelledby="review-note" placeholder={said.noteHint} data-testid="review-notes"
        onText={(text) => {
          const notes = plainLines(text);
          const problem = validateFields('runThrough', { notes });
          setRefused(problem === null ? null : notes);
          if (problem === null) library.edit('runThrough', run.id, { notes: notes === '' ? null : notes });
        }}
      />
      {refused !== null && <TooLong text={refused} limit={limits.runThrough.notes} />}
      <EarlierVersions
        type="runThrough" id={run.id} labels={{ notes: words.moves.notes }}
        onUse={(_, value) => {
          setRefused(null);
          library.edit('runThrough', run.id, { notes: value });
        }}
      />
    </>
  );
}
