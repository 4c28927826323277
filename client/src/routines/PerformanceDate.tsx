// The date of the performance, in the editor of a routine.

import { useState } from 'react';
import { useServices } from '../services/services';
import type { Routine } from '../sync/records';
import { IconButton } from '../ui/Button';
import { firstDay, isoDay, lastDay, parseDay } from '../ui/day';
import { useToday } from '../ui/useToday';
import { relativeDay } from '../words/format';
import { lateWords } from '../words/lateWords';
import './performanceDate.css';

/** A date that is saved as soon as it is whole, and can be cleared. */
export function PerformanceDate({ routine }: { routine: Routine }): JSX.Element {
  const { library } = useServices();
  const today = useToday();
  const stored = routine.performanceDay ?? null;
  /** What the field holds while it is edited: a year is typed digit by digit. */
  const [typed, setTyped] = useState<string | null>(null);
  const save = (day: number | null): void => library.edit('routine', routine.id, { performanceDay: day });
  return (
    <div className="field performance-date">
      <label htmlFor="performance-date"><span>{lateWords.routines.performanceDate}</span></label>
      <div className="performance-entry">
        <input
          className="input" type="date" id="performance-date" aria-describedby="performance-when" data-testid="edit-performance"
          value={typed ?? (stored === null ? '' : isoDay(stored))} min={isoDay(firstDay)} max={isoDay(lastDay)}
          onChange={({ target }) => {
            setTyped(target.value);
            const day = parseDay(target.value);
            // A date that is not whole is empty as well, with bad input.
            if (day !== null) save(day);
            else if (target.value === '' && !target.validity.badInput) save(null);
          }}
          onBlur={() => setTyped(null)}
        />
        {stored !== null && (
          <IconButton
            icon="close" label={lateWords.routines.clearPerformanceDate} data-testid="edit-performance-clear"
            onClick={(event) => {
              // The button disappears, and the focus would be lost.
              event.currentTarget.parentElement?.querySelector('input')?.focus();
              setTyped(null);
              save(null);
            }}
          />
        )}
      </div>
      <p className="small-note" id="performance-when" data-testid="edit-performance-when">
        {stored === null ? lateWords.routines.performanceHint : relativeDay(stored - today)}
      </p>
    </div>
  );
}
