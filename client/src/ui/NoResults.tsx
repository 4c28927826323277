// A search without results, with a button that clears it.

import { Button } from './Button';
import { isolated } from './isolated';
import './noResults.css';
import { words } from '../words/words';

interface NothingFoundProps {
  /** The missing items: `No routine`. */
  readonly what: string;
  readonly search: string;
  readonly onClear: () => void;
}

/** Shows the search text, and clears it. */
export function NoResults({ what, search, onClear }: NothingFoundProps): JSX.Element {
  return (
    <div className="nothing-found" data-testid="nothing-found">
      <p dir="auto">{isolated(words.ui.noMatch(what, search.trim()))}</p>
      <Button
        icon="close" data-testid="clear-search"
        onClick={(event) => {
          // The button disappears with the search, and the focus would be lost.
          event.currentTarget.closest('.sheet-content, main')
            ?.querySelector<HTMLElement>('input[type=search]')?.focus();
          onClear();
        }}
      >
        {words.ui.clearSearch}
      </Button>
    </div>
  );
}
