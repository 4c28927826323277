// A text field that ends at a number of characters, and says so when that comes near.

import { characterCount, cutTo, oneLine } from '../ui/words';

interface LimitedFieldProps {
  readonly label: string;
  readonly value: string;
  readonly limit: number;
  readonly onChange: (value: string) => void;
  readonly isFirst?: boolean;
  readonly testId?: string;
}

/** A labelled line of text in any script. */
export function LimitedField({
  label, value, limit, onChange, isFirst, testId,
}: LimitedFieldProps): JSX.Element {
  const count = characterCount(value);
  const isNear = count > limit * 0.8;
  return (
    <label className="field">
      <span>
        {label}
        {isNear && <span className="time" aria-live="polite">{`${count} of ${limit}`}</span>}
      </span>
      <input
        className="input" type="text" dir="auto" autoComplete="off" enterKeyHint="done" value={value}
        data-first={isFirst ? '' : undefined} data-testid={testId}
        onChange={(event) => onChange(cutTo(oneLine(event.target.value), limit))}
      />
    </label>
  );
}
