// A search field with the number of results next to it.

import { Icon } from './Icon';
import './searchField.css';
import { words } from '../words/words';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  /** The number of results as text; empty without a search. */
  readonly found: string;
  /** Whether a sheet that opens puts the focus here. */
  readonly isFirst?: boolean | undefined;
  readonly onChange: (text: string) => void;
  readonly testId: string;
}

/** Searches on every input. */
export function SearchField({ label, value, found, isFirst = false, onChange, testId }: SearchFieldProps): JSX.Element {
  return (
    <label className="search">
      <Icon name="search" size={20} />
      <input
        type="search" placeholder={words.ui.search} aria-label={label} value={value} dir="auto"
        data-testid={testId} data-first={isFirst ? '' : undefined} enterKeyHint="search" onChange={(event) => onChange(event.target.value)}
      />
      <span className="search-count" role="status">{value.trim() === '' ? '' : found}</span>
    </label>
  );
}
