// A text field with a maximum number of characters, shown near the limit. A longer text stays, and is not
// saved until it is shortened.

import { characterCount } from '../sync/validation';
import { useSavedText, type SavedTextOptions } from './useSavedText';
import { TooLong } from './TooLong';
import { limitInput, timesKept } from './typing';
import { oneLine } from './text';
import { words } from '../words/words';

interface FieldProps {
  readonly label: string;
  readonly limit: number;
  readonly isFirst?: boolean;
  readonly testId?: string;
}

interface LimitedFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
}

/** A labelled line of text in any script. */
export function LimitedField({
  label, value, limit, onChange, onBlur, isFirst, testId,
}: LimitedFieldProps): JSX.Element {
  const count = characterCount(value);
  const isNear = count > limit * 0.8;
  return (
    <div className="field">
      <label className="field">
        <span>
          {label}
          {isNear && <span className={count > limit ? 'time is-over' : 'time'} aria-live="polite">{words.ui.countOf(count, limit)}</span>}
        </span>
        <input
          className="input" type="text" dir="auto" autoComplete="off" enterKeyHint="done" value={value}
          data-first={isFirst ? '' : undefined} data-testid={testId} onBlur={onBlur}
          onChange={(event) => onChange(oneLine(limitInput(event.target, value, limit * timesKept)))}
        />
      </label>
      <TooLong text={value} limit={limit} />
    </div>
  );
}

/** The same for a record's text that is saved on every input. */
export function SavedField({
  label, isFirst, testId, ...options
}: FieldProps & SavedTextOptions): JSX.Element {
  const { text, onText, onBlur } = useSavedText(options);
  return (
    <LimitedField
      label={label} value={text} limit={options.limit} isFirst={isFirst} testId={testId}
      onChange={onText} onBlur={onBlur}
    />
  );
}
