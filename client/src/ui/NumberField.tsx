// A whole number: typed, or changed by one with a button.

import { useEffect, useId, useState } from 'react';
import { IconButton } from './Button';
import './numberField.css';
import { wholeNumber } from './typing';
import { words } from '../words/words';

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
  /** How the number is shown while it is not edited. */
  readonly text?: (value: number) => string;
  readonly step?: number;
  /** The number stands large in the middle, and its label is only spoken. */
  readonly isLarge?: boolean;
  readonly testId?: string;
}

/**
 * A field between minus and plus. A typed number is applied once it is in the range; otherwise an
 * error shows.
 */
export function NumberField({
  label, value, least, most, onChange, text = String, step = 1, isLarge = false, testId,
}: NumberFieldProps): JSX.Element {
  const [typed, setTyped] = useState<string | null>(null);
  /** During typing, a number that is too small may be incomplete. */
  const [isLeft, setLeft] = useState(false);
  useEffect(() => {
    // An unapplied input is replaced when the value changes elsewhere.
    if (isLeft) setTyped(null);
  }, [value]);
  const isWithin = (number: number | null): number is number => (
    number !== null && number >= least && number <= most
  );
  // An empty field is no error: when it loses the focus, it shows the current value again.
  const number = typed?.trim() ? wholeNumber(typed) : least;
  const problem = number === null
    ? words.ui.wholeNumber
    : (number > most || (isLeft && number < least)) && words.ui.fromTo(least, most);
  const id = useId();
  const change = (by: number): void => {
    setTyped(null);
    onChange(Math.min(most, Math.max(least, value + by)));
  };
  const leave = (): void => {
    if (isWithin(number)) setTyped(null);
    setLeft(true);
  };
  return (
    <div className={isLarge ? 'number-field is-large' : 'number-field'} role="group" aria-label={label}>
      {!isLarge && <span className="number-label" aria-hidden="true">{label}</span>}
      <IconButton
        icon="minus" label={words.ui.less(label)} disabled={value <= least} data-testid={testId && `${testId}-less`}
        onClick={() => change(-step)}
      />
      <input
        className="input time" type="text" inputMode="numeric" aria-label={label} value={typed ?? text(value)}
        data-testid={testId} aria-invalid={Boolean(problem)} aria-describedby={problem ? id : undefined}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setTyped(event.target.value);
          setLeft(false);
          const read = wholeNumber(event.target.value);
          if (isWithin(read)) onChange(read);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowUp') change(step);
          else if (event.key === 'ArrowDown') change(-step);
          else if (event.key === 'Enter') leave();
          else return;
          event.preventDefault();
        }}
        onBlur={leave}
      />
      <IconButton
        icon="plus" label={words.ui.more(label)} disabled={value >= most} data-testid={testId && `${testId}-more`}
        onClick={() => change(step)}
      />
      {problem && <small className="problem" id={id} role="alert">{problem}</small>}
    </div>
  );
}
