// The steps of a session in order, each with its reason; while they are changed, with buttons.

import { useState } from 'react';
import type { PlanStep, Step } from '../practice/plan';
import type { Part } from '../sync/records';
import { Button, IconButton } from '../ui/Button';
import { MenuButton } from '../ui/MenuButton';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { StepEditor } from './StepEditor';
import { newStep, plainStep, withMoved } from './stepEditing';
import { reasonText, stepDetail, stepTitle } from './stepText';

interface StepListProps {
  readonly steps: readonly (PlanStep | Step)[];
  readonly parts: readonly Part[];
  readonly isEditing: boolean;
  readonly onChange: (steps: readonly PlanStep[]) => void;
}

/** The list. */
export function StepList({ steps, parts, isEditing, onChange }: StepListProps): JSX.Element {
  const [edited, setEdited] = useState<number | null>(null);
  const said = lateWords.plans;
  const replace = (at: number, step: PlanStep): void => onChange(steps.map((old, index) => (index === at ? step : old)));
  const move = (at: number, by: -1 | 1): void => {
    setEdited(null);
    onChange(withMoved(steps, at, by));
  };
  return (
    <>
      <ol className="step-list" data-testid="step-list" aria-label={said.steps}>
        {steps.map((step, at) => {
          const title = stepTitle(step, parts);
          return (
            // A step has no identity of its own: it is what it says, at its place.
            <li key={at} className="step" data-testid="step" data-kind={step.kind}>
              <div className="step-row">
                <span className="step-words">
                  <b dir="auto">{title}</b>
                  <span className="time">{stepDetail(step)}</span>
                  {'reason' in step && step.kind !== 'rest' && <small>{reasonText(step.reason)}</small>}
                </span>
                {isEditing && (
                  <>
                    <IconButton
                      icon="edit" label={`${words.common.edit}: ${title}`} aria-expanded={edited === at} data-testid="step-edit"
                      onClick={() => setEdited(edited === at ? null : at)}
                    />
                    <MenuButton
                      label={said.stepMore(title)} menuLabel={title} testId="step-menu"
                      items={() => [
                        { label: words.common.moveUp, icon: 'up', isDisabled: at === 0, testId: 'step-up', run: () => move(at, -1) },
                        {
                          label: words.common.moveDown, icon: 'down', isDisabled: at === steps.length - 1, testId: 'step-down',
                          run: () => move(at, 1),
                        },
                        {
                          label: words.common.remove, icon: 'trash', isDangerous: true, testId: 'step-remove',
                          run: () => {
                            setEdited(null);
                            onChange(steps.filter((_, index) => index !== at));
                          },
                        },
                      ]}
                    />
                  </>
                )}
              </div>
              {isEditing && edited === at && (
                <StepEditor step={plainStep(step)} parts={parts} onChange={(next) => replace(at, next)} />
              )}
            </li>
          );
        })}
      </ol>
      {isEditing && parts.length > 0 && (
        <Button
          icon="plus" data-testid="step-add"
          onClick={() => {
            onChange([...steps, newStep(parts)]);
            setEdited(steps.length);
          }}
        >
          {said.addStep}
        </Button>
      )}
    </>
  );
}
