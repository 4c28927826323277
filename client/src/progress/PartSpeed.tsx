// The speed of one part: in a sentence, and as a picture or a table of the days on which it was faster than before.

import { targetPercent } from '../parts/targetSpeed';
import type { PartProgress } from '../practice/history';
import { Link } from '../services/Link';
import type { Part } from '../sync/records';
import { Icon } from '../ui/Icon';
import { percentText, relativeDay } from '../words/format';
import { lateWords } from '../words/lateWords';
import { dateOf } from './dateOf';
import { bestsOf, speedPicture, type Best } from './speedPicture';

interface PartSpeedProps {
  readonly part: Part;
  /** Its place in the routine, from 1 on. */
  readonly rank: number;
  readonly progress: PartProgress | null;
  readonly today: number;
  readonly isTable: boolean;
}

/** A part's card. */
export function PartSpeed({ part, rank, progress, today, isTable }: PartSpeedProps): JSX.Element {
  const bests = bestsOf(progress?.days ?? []);
  const target = targetPercent(part);
  return (
    <li className="progress-card progress-part" data-testid="progress-part">
      <h3 dir="auto">
        <Link route={{ page: 'routine', routineId: part.routine, partId: part.id }}>{`${rank}. ${part.title}`}</Link>
      </h3>
      <p className="progress-state" data-testid="progress-state">
        {progress?.atTempoDay != null && <Icon name="check" size={18} />}
        {stateText(progress, target, today)}
      </p>
      {progress?.lastDay != null && (
        <p className="small-note">{lateWords.progress.lastPractised(relativeDay(progress.lastDay - today))}</p>
      )}
      {bests.length > 0 && (
        <>
          {!isTable && <Picture bests={bests} target={target} today={today} isAtTempo={progress?.atTempoDay != null} />}
          <Table title={part.title} bests={bests} target={target} today={today} isShown={isTable} />
        </>
      )}
    </li>
  );
}

function stateText(progress: PartProgress | null, target: number, today: number): string {
  const said = lateWords.progress;
  if (!progress || progress.lastDay === null) return said.notPractised;
  if (progress.reachedDay === null) return said.noWholePass;
  if (progress.atTempoDay !== null) return said.atTempoSince(percentText(target), dateOf(progress.atTempoDay, today));
  return said.reached(percentText(progress.reachedPercent), dateOf(progress.reachedDay, today), percentText(target));
}

interface BestsProps {
  readonly bests: readonly Best[];
  readonly target: number;
  readonly today: number;
}

const box = { width: 300, height: 72 };

/** Hidden from screen readers, which get the table. */
function Picture({ bests, target, today, isAtTempo }: BestsProps & { readonly isAtTempo: boolean }): JSX.Element {
  const { line, area, targetY, end, firstDay, lastDay } = speedPicture(bests, target, today, box);
  const place = (y: number): string => `${(y / box.height) * 100}%`;
  return (
    <div className={isAtTempo ? 'speed-picture is-at-tempo' : 'speed-picture'} aria-hidden="true" data-testid="speed-picture">
      <div className="speed-plot">
        <svg viewBox={`0 0 ${box.width} ${box.height}`} preserveAspectRatio="none">
          <path className="speed-area" d={area} />
          <path className="speed-target" d={`M0 ${targetY}H${box.width}`} />
          <path className="speed-line" d={line} />
        </svg>
        <span className="speed-end" style={{ left: `${(end.x / box.width) * 100}%`, top: place(end.y) }} />
        <span className="speed-label" style={{ top: place(targetY) }}>{lateWords.progress.target(percentText(target))}</span>
      </div>
      <p className="speed-days">
        <span>{dateOf(firstDay, today)}</span>
        <span>{dateOf(lastDay, today)}</span>
      </p>
    </div>
  );
}

function Table({ title, bests, target, today, isShown }: BestsProps & { readonly title: string; readonly isShown: boolean }): JSX.Element {
  const said = lateWords.progress;
  return (
    <div className={isShown ? undefined : 'only-spoken'}><table className="progress-table" data-testid="speed-table">
      <caption><span className="only-spoken"><bdi>{title}</bdi>{': '}</span>{said.bests}</caption>
      <thead><tr><th scope="col">{said.day}</th><th scope="col">{said.speed}</th></tr></thead>
      <tbody>
        {bests.map(({ day, percent }) => (
          <tr key={day}><th scope="row">{dateOf(day, today)}</th><td>{percentText(percent)}</td></tr>
        ))}
      </tbody>
      <tfoot><tr><th scope="row">{said.targetSpeed}</th><td>{percentText(target)}</td></tr></tfoot>
    </table></div>
  );
}
