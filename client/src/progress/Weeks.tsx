// The minutes a week: bars to scroll back through, or a table.

import { dayText } from '../words/dates';
import { number } from '../words/format';
import { lateWords } from '../words/lateWords';
import { dateOf } from './dateOf';
import { weekBars, weeksShown, type Week, type WeekBar } from './weekBars';

interface WeeksProps {
  readonly weeks: readonly Week[];
  readonly today: number;
  readonly isTable: boolean;
}

/** The card with the weeks. */
export function Weeks({ weeks, today, isTable }: WeeksProps): JSX.Element {
  const bars = weekBars(weeks, today);
  return (
    <section className="progress-card" aria-label={lateWords.progress.weeks} data-testid="progress-weeks">
      <h2>{lateWords.progress.weeks}</h2>
      {!isTable && <Picture bars={bars} />}
      <div className={isTable ? 'week-rows' : 'only-spoken'} tabIndex={isTable ? 0 : undefined} role={isTable ? 'group' : undefined} aria-label={isTable ? lateWords.progress.weeks : undefined}>
        <Table bars={bars} today={today} />
      </div>
    </section>
  );
}

/** The heights of the picture, in CSS pixels from its top. */
const floor = 116;
const highestBar = 96;

/** Twelve weeks are as wide as the card; the scroller begins at its end. Hidden from screen readers, which get the table. */
function Picture({ bars }: { readonly bars: readonly WeekBar[] }): JSX.Element {
  const percent = (slots: number): string => `${(slots / bars.length) * 100}%`;
  return (
    // Whoever has no pointer scrolls with the arrow keys.
    <div className="weeks-scroll" tabIndex={bars.length > weeksShown ? 0 : undefined} role="group" aria-label={lateWords.progress.weeksScroll} data-testid="weeks-scroll">
      <svg
        className={bars.some(({ label }) => label === 'year') ? 'weeks-picture has-years' : 'weeks-picture'}
        style={{ width: `${(bars.length / weeksShown) * 100}%` }} aria-hidden="true" data-testid="weeks-picture"
      >
        <path className="weeks-floor" d={`M0 ${floor}.5H100000`} />
        {bars.map(({ firstDay, minutes, height, label }, at) => (
          <g key={firstDay}>
            {minutes > 0 && (
              <>
                <rect
                  x={percent(at + 0.16)} width={percent(0.68)} y={floor - Math.max(2, height * highestBar)}
                  height={Math.max(2, height * highestBar)} rx="3"
                />
                <text x={percent(at + 0.5)} y={floor - 5 - Math.max(2, height * highestBar)} data-testid="week-minutes">{minutesText(minutes)}</text>
              </>
            )}
            {label !== 'none' && <text x={percent(at + 0.5)} y={floor + 16}>{dayText(firstDay + 6, { month: 'short' })}</text>}
            {label === 'year' && <text x={percent(at + 0.5)} y={floor + 30}>{dayText(firstDay + 6, { year: 'numeric' })}</text>}
          </g>
        ))}
      </svg>
    </div>
  );
}

/** Fits above a bar: from a thousand minutes on in hours. */
function minutesText(minutes: number): string {
  return minutes < 1000 ? number(minutes) : `${number(minutes / 60)} h`;
}

function Table({ bars, today }: { readonly bars: readonly WeekBar[]; readonly today: number }): JSX.Element {
  const said = lateWords.progress;
  return (
    <table className="progress-table" data-testid="weeks-table">
      <caption>{said.weeksCaption}</caption>
      <thead><tr><th scope="col">{said.weekOf}</th><th scope="col">{said.minutes}</th></tr></thead>
      <tbody>
        {[...bars].reverse().map(({ firstDay, minutes }) => (
          <tr key={firstDay}><th scope="row">{dateOf(firstDay, today)}</th><td>{number(minutes)}</td></tr>
        ))}
      </tbody>
    </table>
  );
}
