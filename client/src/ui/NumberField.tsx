// A whole number: typed, or changed by one with a press.

import { useEffect, useId, useState } from 'react';
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

/** A field between a minus and a plus. What is typed counts once it lies in the range, or it says why not. */
export function NumberField({
  label, value, least, most, onChange, text = String, step = 1, testId,
}: NumberFieldProps): JSX.Element {
  const [typed, setTyped] = useState<string | null>(null);
  /** While a number is typed, one that is too small may only be its beginning. */
  const [isLeft, setLeft] = useState(false);
  useEffect(() => {
    // What was left there gives way to what is chosen elsewhere.
    if (isLeft) setTyped(null);
  }, [value]);
  const isWithin = (number: number | null): number is number => (
    number !== null && number >= least && number <= most
  );
  // An empty field is no mistake: once it is left, it shows again what counts.
  const number = typed?.trim() ? wholeNumber(typed) : least;
  const problem = number === null
    ? 'A whole number, please.'
    : (number > most || (isLeft && number < least)) && `From ${least} to ${most}, please.`;
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
    <div className="number-field" role="group" aria-label={label}>
      <span className="number-label" aria-hidden="true">{label}</span>
      <IconButton icon="minus" label={`${label}: less`} disabled={value <= least} onClick={() => change(-step)} />
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
      <IconButton icon="plus" label={`${label}: more`} disabled={value >= most} onClick={() => change(step)} />
      {problem && <small className="problem" id={id} role="alert">{problem}</small>}
    </div>
  );
}
