// A whole number: typed, or changed by one with a press.

import { useId, useState } from 'react';
import { IconButton } from './Button';
import './numberField.css';
import { wholeNumber } from './typing';

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
  /** How the number is shown while nobody types. */
  readonly text?: (value: number) => string;
  readonly step?: number;
  readonly testId?: string;
}

/** A field between a minus and a plus. What is typed counts once it lies in the range. */
export function NumberField({
  label, value, least, most, onChange, text = String, step = 1, testId,
}: NumberFieldProps): JSX.Element {
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && typed.trim() !== '' && wholeNumber(typed) === null;
  const id = useId();
  const change = (by: number): void => {
    setTyped(null);
    onChange(Math.min(most, Math.max(least, value + by)));
  };
  return (
    <div className="number-field" role="group" aria-label={label}>
      <span className="number-label" aria-hidden="true">{label}</span>
      <IconButton icon="minus" label={`${label}: less`} disabled={value <= least} onClick={() => change(-step)} />
      <input
        className="input time" type="text" inputMode="numeric" aria-label={label} value={typed ?? text(value)}
        data-testid={testId} aria-invalid={isWrong} aria-describedby={isWrong ? id : undefined}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setTyped(event.target.value);
          const number = wholeNumber(event.target.value);
          if (number !== null && number >= least && number <= most) onChange(number);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowUp') change(step);
          else if (event.key === 'ArrowDown') change(-step);
          else if (event.key === 'Enter') setTyped(null);
          else return;
          event.preventDefault();
        }}
        onBlur={() => setTyped(null)}
      />
      <IconButton icon="plus" label={`${label}: more`} disabled={value >= most} onClick={() => change(step)} />
      {isWrong && <small className="problem" id={id} role="alert">A whole number, please.</small>}
    </div>
  );
}
