// A row of choices of which one holds: theme, seek step, countdown and the like.

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
  /** Also called when the choice that holds is pressed again. */
  readonly onChoose: (value: V) => void;
  /** One below the other, for choices of many words. */
  readonly isSingle?: boolean;
  readonly testId?: string;
}

/** Radio buttons that look like keys. */
export function Choices<V extends string | number>({
  legend, choices, value, onChoose, isSingle, testId,
}: ChoicesProps<V>): JSX.Element {
  const name = useId();
  return (
    <fieldset className="choices" data-testid={testId}>
      <legend>{legend}</legend>
      <div className={isSingle ? 'choices-row is-single' : 'choices-row'}>
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
    </fieldset>
  );
}
