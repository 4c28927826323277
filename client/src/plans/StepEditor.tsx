// One step while it is changed: what, which parts, how often, how fast.

import type { PlanStep, StepKind } from '../practice/plan';
import type { Part } from '../sync/records';
import { NumberField } from '../ui/NumberField';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { fastest, slowest } from '../parts/practiceSettings';
import { ofKind, withFirstPart } from './stepEditing';

const kinds = ['part', 'chain', 'transition', 'runThrough', 'rest'] as const;

interface StepEditorProps {
  readonly step: PlanStep;
  readonly parts: readonly Part[];
  readonly onChange: (step: PlanStep) => void;
}

/** The fields, as many as the kind of step has. */
export function StepEditor({ step, parts, onChange }: StepEditorProps): JSX.Element {
  const said = lateWords.plans;
  const { kind, passes, fromPercent, toPercent, stepPercent, restSeconds } = step;
  const isChain = kind === 'chain' || kind === 'warmUp' || kind === 'runThrough';
  const firsts = kind === 'transition' ? parts.slice(0, -1) : parts;
  const from = parts.findIndex(({ id }) => id === step.firstPart);
  const choices = kinds.filter((each) => each !== 'transition' || parts.length > 1);
  return (
    <div className="step-editor stack" data-testid="step-editor">
      <Select
        label={said.kind} value={kind === 'warmUp' ? 'chain' : kind} testId="step-kind"
        options={choices.map((each) => ({ value: each, label: said.kinds[each] }))}
        onChange={(next) => onChange(ofKind(step, next as StepKind, parts))}
      />
      {kind === 'rest'
        ? (
          <NumberField
            label={said.restFor} value={restSeconds} least={5} most={600} step={5} testId="step-rest" text={said.seconds}
            onChange={(value) => onChange({ ...step, restSeconds: value })}
          />
        )
        : (
          <>
            <Select
              label={kind === 'transition' ? said.joinOf : isChain ? said.firstPart : said.part} value={step.firstPart} testId="step-first"
              options={firsts.map(({ id, title }) => ({ value: id, label: title }))}
              onChange={(id) => onChange(withFirstPart(step, id, parts))}
            />
            {isChain && (
              <Select
                label={said.lastPart} value={step.lastPart} testId="step-last"
                options={parts.slice(Math.max(0, from)).map(({ id, title }) => ({ value: id, label: title }))}
                onChange={(lastPart) => onChange({ ...step, lastPart })}
              />
            )}
            <NumberField
              label={said.passes} value={passes} least={1} most={99} testId="step-passes"
              onChange={(value) => onChange({ ...step, passes: value, ...(value < 2 && { toPercent: fromPercent }) })}
            />
            <NumberField
              label={said.fromSpeed} value={fromPercent} least={slowest} most={fastest} step={5} testId="step-from" text={percentText}
              onChange={(value) => onChange({ ...step, fromPercent: value, toPercent: passes < 2 ? value : Math.max(value, toPercent) })}
            />
            {passes > 1 && (
              <NumberField
                label={said.toSpeed} value={toPercent} least={fromPercent} most={fastest} step={5} testId="step-to" text={percentText}
                onChange={(value) => onChange({ ...step, toPercent: value })}
              />
            )}
            {passes > 1 && toPercent !== fromPercent && (
              <NumberField
                label={said.speedStep} value={Math.max(1, stepPercent)} least={1} most={100} testId="step-step" text={percentText}
                onChange={(value) => onChange({ ...step, stepPercent: value })}
              />
            )}
            {passes > 1 && (
              <NumberField
                label={said.restAfter} value={restSeconds} least={0} most={600} step={5} testId="step-rest" text={said.seconds}
                onChange={(value) => onChange({ ...step, restSeconds: value })}
              />
            )}
          </>
        )}
    </div>
  );
}

function Select({ label, value, options, testId, onChange }: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly testId: string;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  return (
    <label className="field">
      <span>{label}</span>
      <select className="input select" value={value} data-testid={testId} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
      </select>
    </label>
  );
}
