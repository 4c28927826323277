// A search that found nothing, with the way back to the whole list.

import { Button } from './Button';
import './noResults.css';

interface NothingFoundProps {
  /** What there is none of: `No routine`. */
  readonly what: string;
  readonly search: string;
  readonly onClear: () => void;
}

/** Says what was looked for in vain, and clears it. */
export function NoResults({ what, search, onClear }: NothingFoundProps): JSX.Element {
  return (
    <div className="nothing-found" data-testid="nothing-found">
      <p dir="auto">{`${what} matches “${search.trim()}”.`}</p>
      <Button
        icon="close" data-testid="clear-search"
        onClick={(event) => {
          // The button goes with the search, and the focus with it: it stays where one looked.
          event.currentTarget.closest('.sheet-content, main')
            ?.querySelector<HTMLElement>('input[type=search]')?.focus();
          onClear();
        }}
      >
        Clear search
      </Button>
    </div>
  );
}
