// The sheet that says what has changed in a routine since a time, and brings it back.

import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { apiAddress } from '../apiAddress';
import { lastPractised } from '../practiceLog/sessions';
import { useFromLibrary, useLibraryStatus, useMayEdit, useServices } from '../services/services';
import { ask } from '../sync/ask';
import type { Routine } from '../sync/records';
import { reasonOf } from '../sync/requests';
import { Button } from '../ui/Button';
import { Choices } from '../ui/Choices';
import { isoDay, parseDay } from '../ui/day';
import { isolated } from '../ui/isolated';
import { Sheet } from '../ui/Sheet';
import { toasts } from '../ui/toasts';
import { dayOf } from '../ui/today';
import { dateText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import './changes.css';
import {
  byPart, changeText, textsOf, type BringBack, type RoutineChange, type RoutineChanges,
} from './routineChanges';

/** Since when changes are shown. */
type Since = 'practice' | 'yesterday' | 'week' | 'month' | 'date';

/** How many days the server keeps what was overwritten. */
const daysKept = 30;
const dayMilliseconds = 86_400_000;

/** The beginning of a day that was so many days before the one of `now`, by the device's time zone. */
function daysBefore(now: number, days: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime();
}

/** The sheet. */
export function ChangesSheet({ routine, onClose }: { routine: Routine; onClose: () => void }): JSX.Element {
  const { library } = useServices();
  const text = lateWords.changes;
  const mayEdit = useMayEdit(routine.id);
  const [now] = useState(() => Date.now());
  const practised = useLastPractised(routine.id, now);
  const [chosen, setChosen] = useState<Since | null>(null);
  const [day, setDay] = useState(() => dayOf(new Date(now)) - 1);
  const since = chosen ?? (practised === undefined ? null : practised === null ? 'week' : 'practice');
  const time = since === null ? null : {
    practice: practised ?? now, yesterday: daysBefore(now, 1), week: daysBefore(now, 7), month: now - daysKept * dayMilliseconds,
    date: daysBefore(now, dayOf(new Date(now)) - day),
  }[since];
  const { answer, problem, isOnline } = useChanges(routine.id, time);
  const summary = useRef<HTMLParagraphElement>(null);
  /** Whether something was brought back, and the answer is not here yet. */
  const isWaiting = useRef(false);
  useEffect(() => {
    if (!isWaiting.current) return;
    isWaiting.current = false;
    // The pressed button may be gone, and the focus with it.
    if (!document.activeElement?.isConnected || document.activeElement === document.body) summary.current?.focus();
  }, [answer]);

  const bringBack = (edits: readonly BringBack[], said: string): void => {
    if (isWaiting.current) return;
    try {
      const undo = library.bringBack(edits.map(({ type, record, fields, removes }) => (
        { type, record, fields: removes ? { deletedAt: Date.now() } : fields }
      )));
      isWaiting.current = true;
      toasts.say(said, { action: { label: words.common.undo, run: undo } });
    } catch (failure) {
      if (!(failure instanceof RangeError)) throw failure;
      toasts.say(failure.message, { kind: 'problem' });
    }
  };

  return (
    <Sheet
      title={words.routinePage.whatChanged} size="tall" onClose={onClose} testId="changes-sheet"
      footer={mayEdit && answer && answer.back.length > 0 && answer.changes.length > 1 && (
        <Button icon="history" data-testid="changes-all" onClick={() => bringBack(answer.back, text.allBroughtBack)}>
          {text.bringAllBack}
        </Button>
      )}
    >
      <Choices<Since>
        legend={text.since} value={since} onChoose={setChosen} testId="changes-since"
        choices={[
          ...(practised ? [{ value: 'practice' as const, label: text.lastPractice }] : []),
          { value: 'yesterday', label: text.yesterday }, { value: 'week', label: text.days(7) },
          { value: 'month', label: text.days(daysKept) }, { value: 'date', label: text.date },
        ]}
      />
      {since === 'date' && <DateChoice day={day} now={now} onDay={setDay} />}
      <p className="changes-summary" role="status" tabIndex={-1} ref={summary} data-testid="changes-summary">
        {summaryOf({ answer, problem, isOnline, time })}
      </p>
      {answer && byPart(answer.changes).map(({ part, changes }, at) => (
        <section key={`${part} ${at}`} className="changes-part" data-testid="changes-part">
          <h3 dir="auto">{part === null ? text.routine : changes[0]?.partTitle}</h3>
          <ul className="changes-list">
            {changes.map((change) => (
              <ChangeRow key={`${change.kind} ${change.record}`} change={change} onBack={mayEdit ? bringBack : null} />
            ))}
          </ul>
        </section>
      ))}
    </Sheet>
  );
}

/** What there is to say above the changes. */
function summaryOf({ answer, problem, isOnline, time }: {
  readonly answer: RoutineChanges | null; readonly problem: string | null; readonly isOnline: boolean; readonly time: number | null;
}): string {
  const text = lateWords.changes;
  if (!isOnline) return text.needsServer;
  if (problem !== null) return `${problem} ${text.onTheServer}`;
  if (!answer) return text.loading;
  const when = dateText(answer.since, true);
  return [
    answer.changes.length === 0 ? text.nothing(when) : text.found(answer.changes.length + answer.more, when),
    ...(time !== null && answer.since > time + 60_000 ? [text.notKnownBefore] : []),
    ...(answer.more > 0 ? [text.more(answer.changes.length)] : []),
  ].join(' ');
}

function ChangeRow({ change, onBack }: {
  readonly change: RoutineChange; readonly onBack: ((edits: readonly BringBack[], said: string) => void) | null;
}): JSX.Element {
  const id = useId();
  const text = lateWords.changes;
  const said = changeText(change);
  const texts = textsOf(change);
  return (
    <li className="change" data-testid="change" data-kind={change.kind}>
      <p id={id} dir="auto">{isolated(said)}</p>
      {texts.was !== null && <Quoted label={text.before} value={texts.was} />}
      {texts.now !== null && <Quoted label={text.now} value={texts.now} />}
      {change.missing
        ? <p className="change-missing" data-testid="change-missing">{text.missing[change.missing]}</p>
        : onBack && (
          <Button
            isSmall aria-describedby={id} data-testid="change-back"
            onClick={() => onBack(change.back, text.broughtBack(change.title))}
          >
            {change.back.every(({ removes }) => removes) ? text.removeAgain : text.bringBack}
          </Button>
        )}
      <time className="change-when" dateTime={new Date(change.at).toISOString()}>{dateText(change.at, true)}</time>
    </li>
  );
}

function Quoted({ label, value }: { readonly label: string; readonly value: string }): JSX.Element {
  return (
    <div className="change-text">
      <span>{label}</span>
      <p dir="auto">{value}</p>
    </div>
  );
}

function DateChoice({ day, now, onDay }: {
  readonly day: number; readonly now: number; readonly onDay: (day: number) => void;
}): JSX.Element {
  const id = useId();
  const today = dayOf(new Date(now));
  /** What the field holds while it is edited: a year is typed digit by digit. */
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <div className="field changes-date">
      <label htmlFor={id}><span>{lateWords.changes.since}</span></label>
      <input
        className="input" type="date" id={id} data-testid="changes-date" value={typed ?? isoDay(day)}
        min={isoDay(today - daysKept)} max={isoDay(today)}
        onChange={({ target }) => {
          setTyped(target.value);
          const chosen = parseDay(target.value);
          if (chosen !== null && chosen <= today) onDay(chosen);
        }}
        onBlur={() => setTyped(null)}
      />
    </div>
  );
}

/** Reads when the routine was practised before this session: null if it was not, undefined until the log is read. */
function useLastPractised(routineId: string, now: number): number | null | undefined {
  const { library } = useServices();
  const [isRead, setRead] = useState(library.isLogOpen);
  useEffect(() => {
    let isHere = true;
    // Without the log there are other times to choose.
    library.openLog().catch(() => undefined).finally(() => isHere && setRead(true));
    return () => {
      isHere = false;
    };
  }, [library]);
  const entries = useFromLibrary((current) => current.all('practiceEntry'));
  return useMemo(
    () => (isRead ? lastPractised(entries.filter(({ routine }) => routine === routineId), now) : undefined),
    [isRead, entries, routineId, now],
  );
}

/** Asks the server, once it has all edits, and again whenever the routine has changed. */
function useChanges(routineId: string, since: number | null): {
  readonly answer: RoutineChanges | null; readonly problem: string | null; readonly isOnline: boolean;
} {
  const { online, waiting } = useLibraryStatus();
  const parts = useFromLibrary((library) => library.parts(routineId));
  const moves = useFromLibrary((library) => library.all('move'));
  const routine = useFromLibrary((library) => library.get('routine', routineId));
  const [state, setState] = useState<{ readonly since: number; readonly answer: RoutineChanges | null; readonly problem: string | null } | null>(null);
  const mayAsk = online && waiting === 0;
  useEffect(() => {
    if (!mayAsk || since === null) return undefined;
    const gone = new AbortController();
    ask('GET', apiAddress.routineChanges(routineId, since), { signal: gone.signal }).then(
      ({ value }) => gone.signal.aborted || setState({ since, answer: value as RoutineChanges, problem: null }),
      (failure) => gone.signal.aborted || setState({ since, answer: null, problem: reasonOf(failure) }),
    );
    return () => gone.abort();
  }, [routineId, since, mayAsk, parts, moves, routine]);
  // What was asked for another time is not shown; what is being asked again is.
  const isShown = state !== null && state.since === since;
  return { answer: isShown && online ? state.answer : null, problem: isShown ? state.problem : null, isOnline: online };
}
