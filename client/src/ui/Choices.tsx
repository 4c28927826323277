// A row of choices, one of which is selected: theme, seek step, countdown and the like.

import { useId } from 'react';
import './choices.css';
import { Icon, type IconName } from './Icon';

/** One choice. */
export interface Choice<V extends string | number> {
  readonly value: V;
  readonly label: string;
  readonly icon?: IconName;
}

interface ChoicesProps<V extends string | number> {
  readonly legend: string;
  readonly choices: readonly Choice<V>[];
  readonly value: V | null;
  /** Also called when the selected choice is pressed again. */
  readonly onChoose: (value: V) => void;
  /** `column` is for long choices; `presets` for short ones, below a value that says what they are. */
  readonly form?: 'grid' | 'column' | 'presets';
  readonly testId?: string;
}

/**
 * Radio buttons that look like keys. Not a fieldset: WebKit first lays out one with a legend too
 * high, and it shrinks under the finger that presses it.
 */
export function Choices<V extends string | number>({
  legend, choices, value, onChoose, form = 'grid', testId,
}: ChoicesProps<V>): JSX.Element {
  const name = useId();
  return (
    <div className="choices" role="radiogroup" aria-labelledby={`${name}-legend`} data-testid={testId}>
      <span className={form === 'presets' ? 'only-spoken' : 'choices-legend'} id={`${name}-legend`}>{legend}</span>
      <div className={`choices-row is-${form}`}>
        {choices.map((choice) => (
          <label key={choice.value} className="choice">
            <input
              type="radio" name={name} value={choice.value} checked={choice.value === value}
              onChange={() => onChoose(choice.value)}
              onClick={() => {
                if (choice.value === value) onChoose(choice.value);
              }}
            />
            <span>
              {choice.icon && <Icon name={choice.icon} size={20} />}
              {choice.label}
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}
