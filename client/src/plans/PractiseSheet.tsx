// What to practise in the time there is: proposed from the log, or a plan of one's own. Its steps can be changed.

import { useMemo, useState } from 'react';
import { expectedSeconds, parsePlan, printPlan, type PlanStep, type Step } from '../practice/plan';
import { practicePartOf } from '../parts/practiceParts';
import { routineLogOf, useHistory } from '../runThrough/useHistory';
import { useLog, usePractice } from '../runThrough/usePractice';
import { useFromLibrary, useServices } from '../services/services';
import type { Part, Routine } from '../sync/records';
import { Button } from '../ui/Button';
import { Choices } from '../ui/Choices';
import { remember, remembered } from '../ui/device';
import { MenuButton } from '../ui/MenuButton';
import { RenameSheet } from '../ui/RenameSheet';
import { Sheet } from '../ui/Sheet';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { plainStep } from './stepEditing';
import { StepList } from './StepList';

interface PractiseSheetProps {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  readonly onClose: () => void;
  /** Called in the press of the button. */
  readonly onStart: (steps: readonly PlanStep[]) => void;
}

/** The lengths of a proposed session, in minutes. */
const lengths = [10, 20, 30, 45, 60];
const proposed = 'proposed';

/** The sheet. */
export function PractiseSheet({ routine, parts, onClose, onStart }: PractiseSheetProps): JSX.Element {
  const { library, counts } = useServices();
  const module = usePractice();
  const isLogOpen = useLog();
  const plans = useFromLibrary((current) => current.plans(routine.id));
  const [minutes, setMinutes] = useState(() => lengthOf(remembered('planMinutes')));
  const [planId, setPlanId] = useState<string>(proposed);
  /** The changed steps of the proposal; those of a plan are stored at once. */
  const [changed, setChanged] = useState<readonly PlanStep[] | null>(null);
  const [isEditing, setEditing] = useState(false);
  const [namedId, setNamed] = useState<string | null>(null);
  const plan = plans.find(({ id }) => id === planId) ?? null;
  const named = plans.find(({ id }) => id === namedId) ?? null;

  const performanceDay = routine.performanceDay ?? null;
  const ofHistory = useMemo(() => parts.map((part) => practicePartOf(library, counts, part)), [library, counts, parts]);
  // What is logged later does not change the proposal.
  const log = useMemo(() => (isLogOpen ? routineLogOf(library, routine.id) : null), [isLogOpen, library, routine.id]);
  const history = useHistory(module, ofHistory, log);
  const proposal = useMemo(
    () => history?.propose({ minutes, performanceDay }) ?? null, [history, minutes, performanceDay]);
  const steps = useMemo<readonly (PlanStep | Step)[] | null>(() => {
    if (plan) return module && parsePlan(module, plan.steps ?? '');
    return changed ?? proposal;
  }, [plan, module, changed, proposal]);
  const seconds = useMemo(() => (steps ?? []).reduce((sum, step) => (
    sum + ('expectedSeconds' in step ? step.expectedSeconds : module ? expectedSeconds(module, step, ofHistory) : 0)
  ), 0), [steps, module, ofHistory]);
  const canStart = steps !== null && steps.some(({ kind }) => kind !== 'rest');

  const change = (next: readonly PlanStep[]): void => {
    if (!plan) setChanged(next);
    else if (module) library.edit('plan', plan.id, { steps: printPlan(module, next) });
  };
  const choose = (id: string): void => {
    setPlanId(id);
    setEditing(false);
    setChanged(null);
  };
  const said = lateWords.plans;
  /** Stores the steps, and lets the performer name them. */
  const keep = (): void => {
    if (!module) return;
    const id = library.create('plan', {
      routine: routine.id, title: said.planNamed(plans.length + 1), steps: printPlan(module, (steps ?? []).map(plainStep)),
    });
    choose(id);
    setNamed(id);
  };
  return (
    <Sheet
      title={said.practise} onClose={onClose} size="tall" testId="practise-sheet"
      footer={(
        <div className="practise-foot">
          <span className="time" data-testid="practise-length">{canStart ? said.about(Math.max(1, Math.round(seconds / 60))) : ''}</span>
          <Button kind="primary" icon="play" disabled={!canStart} data-first data-testid="practise-start" onClick={() => onStart(steps ?? [])}>
            {said.start}
          </Button>
        </div>
      )}
    >
      <div className="stack">
        {plans.length > 0 && (
          <Choices
            legend={said.whichPlan} form="column" value={planId} onChoose={choose} testId="practise-plan"
            choices={[{ value: proposed, label: said.proposed }, ...plans.map(({ id, title }) => ({ value: id, label: title }))]}
          />
        )}
        {!plan && (
          <Choices
            legend={said.howLong} form="presets" value={minutes} testId="practise-minutes"
            choices={lengths.map((value) => ({ value, label: said.minutes(value) }))}
            onChoose={(value) => {
              remember('planMinutes', String(value));
              setMinutes(value);
              setChanged(null);
            }}
          />
        )}
        {steps === null
          ? <p className="note" aria-live="polite">{said.preparing}</p>
          : steps.length === 0 && !isEditing
            ? <p className="note" data-testid="practise-nothing">{plan ? said.planEmpty : said.nothing}</p>
            : <StepList steps={steps} parts={parts} isEditing={isEditing} onChange={change} />}
        {steps !== null && (
          <div className="practise-tools">
            <Button
              isSmall icon={isEditing ? 'check' : 'edit'} data-testid="practise-edit" aria-pressed={isEditing} onClick={() => setEditing(!isEditing)}
            >
              {isEditing ? said.editDone : said.edit}
            </Button>
            {!plan && steps.length > 0 && (
              <Button isSmall icon="plus" data-testid="practise-save" onClick={keep}>{said.save}</Button>
            )}
            {plan && (
              <MenuButton
                label={words.common.moreFor(plan.title)} menuLabel={plan.title} testId="plan-menu"
                items={() => [
                  { label: words.common.rename, icon: 'edit', testId: 'plan-rename', run: () => setNamed(plan.id) },
                  {
                    label: words.common.delete, icon: 'trash', isDangerous: true, testId: 'plan-delete',
                    run: () => {
                      const undo = library.remove('plan', plan.id);
                      choose(proposed);
                      toasts.say(said.deleted(plan.title), { action: { label: words.common.undo, run: undo } });
                    },
                  },
                ]}
              />
            )}
          </div>
        )}
      </div>
      {named && (
        <RenameSheet
          title={said.renamePlan(named.title)} label={said.planName} id={named.id} name={named.title} limit={60} testId="plan-name"
          save={(title) => library.edit('plan', named.id, { title })} onClose={() => setNamed(null)}
        />
      )}
    </Sheet>
  );
}

function lengthOf(stored: string | null): number {
  return lengths.find((length) => String(length) === stored) ?? 20;
}
