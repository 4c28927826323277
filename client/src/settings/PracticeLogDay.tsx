// One day of the practice log.

import { Fragment, memo } from 'react';
import type { HeardSection } from '../practiceLog/entry';
import type { CoveredPart, LogDay, LogItem } from '../practiceLog/days';
import { useServices } from '../services/services';
import type { LocalLibrary } from '../sync/library';
import type { Stretch } from '../timeline';
import { IconButton } from '../ui/Button';
import { clock } from '../ui/time';
import { locale, percentText } from '../words/format';
import { lateWords } from '../words/lateWords';

interface PracticeLogDayProps {
  readonly day: LogDay;
  readonly onDelete: (item: LogItem) => void;
  readonly onDeleteDay: () => void;
}

/** Formats a day, given as YYYY-MM-DD, with its weekday. */
export function dayText(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(locale, { dateStyle: 'full', timeZone: 'UTC' });
}

const timeText = ({ startedAt, at }: LogItem): string => (
  new Date(startedAt + at.utcOffset * 60_000).toLocaleTimeString(locale, { timeStyle: 'short', timeZone: 'UTC' })
);

/** Formats how long somebody practised: in seconds below a minute, else in minutes, and from an hour on with hours. */
function lengthText(seconds: number): string {
  const unit = (value: number, name: 'second' | 'minute' | 'hour'): string => (
    value.toLocaleString(locale, { style: 'unit', unit: name, unitDisplay: 'short' })
  );
  if (seconds < 60) return unit(Math.round(seconds), 'second');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return unit(minutes, 'minute');
  return minutes % 60 === 0 ? unit(minutes / 60, 'hour') : `${unit(Math.floor(minutes / 60), 'hour')} ${unit(minutes % 60, 'minute')}`;
}

/** The day, with its entries; the parts of each stand below its routine. */
export const PracticeLogDay = memo(function PracticeLogDay({ day, onDelete, onDeleteDay }: PracticeLogDayProps): JSX.Element {
  const { library } = useServices();
  const said = lateWords.practiceLog;
  const title = dayText(day.day);
  return (
    <section className="practice-log-day" aria-label={title} data-testid="log-day">
      <header>
        <h2>{title}</h2>
        {day.seconds > 0 && <bdi className="time">{lengthText(day.seconds)}</bdi>}
        <IconButton icon="trash" label={said.deleteDay(title)} data-testid="log-delete-day" onClick={onDeleteDay} />
      </header>
      <ul>
        {day.items.map((item) => {
          const routine = library.lastTitle('routine', item.routineId) ?? said.deletedRoutine;
          const time = timeText(item);
          return (
            <li key={item.id} data-testid="log-item">
              <div className="practice-log-item">
                <p>
                  <b><bdi>{routine}</bdi></b>
                  <small><bdi className="time">{time}</bdi>{item.kind === 'runThrough' && <> · {said.runThrough}</>}</small>
                </p>
                <ul>
                  {item.kind === 'entry'
                    ? item.sections.map((section, index) => <Line key={index} {...sectionLine(library, section)} />)
                    : item.covered.map((part, index) => <Line key={index} {...coveredLine(library, part, item.percent)} />)}
                </ul>
                {item.kind === 'runThrough' && item.notes !== '' && <p className="practice-log-notes" dir="auto">{item.notes}</p>}
              </div>
              <IconButton
                icon="trash" label={said.deleteEntry(routine, time)} data-testid="log-delete-entry" onClick={() => onDelete(item)}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
});

interface LineProps {
  readonly part: string;
  /** A range, unless it is the whole part. */
  readonly range: string | null;
  readonly facts: readonly string[];
}

function Line({ part, range, facts }: LineProps): JSX.Element {
  return (
    <li>
      <span><bdi>{part}</bdi>{range !== null && <> <bdi className="time">{range}</bdi></>}</span>
      <small>{facts.map((fact, index) => <Fragment key={fact}>{index > 0 && ' · '}<bdi>{fact}</bdi></Fragment>)}</small>
    </li>
  );
}

/** Names a section: its part, and its range in the part unless it is the whole one. */
function named(library: LocalLibrary, partId: string, { startFrame, endFrame }: Stretch): Omit<LineProps, 'facts'> {
  const title = library.lastTitle('part', partId) ?? lateWords.practiceLog.deletedPart;
  const part = library.get('part', partId);
  const track = part?.track ? library.get('track', part.track) : undefined;
  const start = part?.startFrame ?? 0;
  const isWhole = startFrame === start && endFrame === (part?.endFrame ?? track?.lengthFrames ?? endFrame);
  return { part: title, range: isWhole ? null : `${clock(startFrame - start)}–${clock(endFrame - start)}` };
}

function sectionLine(library: LocalLibrary, section: HeardSection): LineProps {
  const said = lateWords.practiceLog;
  const { passes, percent, seconds, hasMusic } = section;
  return {
    ...named(library, section.partId, section),
    facts: [
      ...(passes > 0 ? [said.passes(passes), percentText(percent)] : []), lengthText(seconds),
      ...(hasMusic ? [] : [said.withoutMusic]),
    ],
  };
}

function coveredLine(library: LocalLibrary, part: CoveredPart, percent: number): LineProps {
  return { ...named(library, part.partId, part), facts: [lateWords.practiceLog.misses(part.misses), percentText(percent)] };
}
