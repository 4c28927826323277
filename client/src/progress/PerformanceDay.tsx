// The days to the performance, above everything else.

import { useMayEdit, useServices } from '../services/services';
import type { Routine } from '../sync/records';
import { Button, IconButton } from '../ui/Button';
import { useToday } from '../ui/useToday';
import { dayText } from '../words/dates';
import { relativeDay } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

/** The date, and a way to set or change it. */
export function PerformanceDay({ routine }: { readonly routine: Routine }): JSX.Element {
  const { navigation } = useServices();
  const mayEdit = useMayEdit(routine.id);
  const today = useToday();
  const day = routine.performanceDay ?? null;
  const edit = (): void => navigation.go({ page: 'routine', routineId: routine.id, partId: null }, { thenOpen: 'edit' });
  return (
    <section className="progress-card progress-performance" aria-label={words.routines.performance} data-testid="progress-performance">
      <div>
        <h2>{words.routines.performance}</h2>
        {day === null
          ? <p>{lateWords.progress.noDate}</p>
          : (
            <>
              <p className="progress-days">{relativeDay(day - today)}</p>
              <p>{dayText(day)}</p>
            </>
          )}
      </div>
      {mayEdit && (day === null
        ? <Button isSmall icon="calendar" data-testid="progress-set-date" onClick={edit}>{lateWords.progress.setDate}</Button>
        : <IconButton icon="edit" label={lateWords.progress.changeDate} data-testid="progress-set-date" onClick={edit} />)}
    </section>
  );
}
