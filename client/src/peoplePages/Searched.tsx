// A list of people or groups that stays usable with thousands: a search from some number on, and few rows at a time.

import { useDeferredValue, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Button } from '../ui/Button';
import { NoResults } from '../ui/NoResults';
import { SearchField } from '../ui/SearchField';
import { lateWords } from '../words/lateWords';
import { isLong, listed, rowStep } from './longLists';

/** What can be searched. */
interface Listed { readonly id: string }

interface SearchedProps<R extends Listed> {
  /** All there are; must keep its identity while nothing changes. */
  readonly items: readonly R[];
  /** Returns what an item is called; must keep its identity. */
  readonly nameOf: (item: R) => string;
  /** Returns a lower number for what comes first; must keep its identity. */
  readonly rankOf: (item: R) => number;
  /** The name of the search field. */
  readonly label: string;
  /** Says how many were found. */
  readonly found: (count: number) => string;
  /** What there is none of: `Nobody`. */
  readonly none: string;
  /** The number of rows at first. */
  readonly first?: number;
  /** Whether a sheet that opens puts the focus into the search. */
  readonly isFirst?: boolean | undefined;
  readonly testId: string;
  /** Draws the rows. */
  readonly children: (rows: readonly R[]) => ReactNode;
}

/** The search, the first rows by rank and name, and a button for more. */
export function Searched<R extends Listed>({
  items, nameOf, rankOf, label, found, none, first = rowStep, isFirst, testId, children,
}: SearchedProps<R>): JSX.Element {
  const [search, setSearch] = useState('');
  const lookedFor = useDeferredValue(search);
  const isSearchable = isLong(items.length) || search !== '';
  const shown = useMemo(
    () => listed(items, lookedFor, nameOf, rankOf), [items, lookedFor, nameOf, rankOf],
  );
  return (
    <div className="searched">
      {isSearchable && (
        <div className="searched-field">
          <SearchField
            label={label} value={search} found={found(shown.length)} isFirst={isFirst} testId={testId}
            onChange={setSearch}
          />
        </div>
      )}
      {shown.length === 0 && lookedFor !== '' && <NoResults what={none} search={lookedFor} onClear={() => setSearch('')} />}
      {/* A search begins at the list's beginning. */}
      {shown.length > 0 && <Limited key={lookedFor} items={shown} first={first}>{children}</Limited>}
    </div>
  );
}

const controls = 'a[href], button, input, select';

/** The first rows of a list, and a button that shows more of it; the focus goes to the first that is added. */
export function Limited<R>({ items, first = rowStep, children }: {
  readonly items: readonly R[];
  /** The number of rows at first. */
  readonly first?: number;
  readonly children: (rows: readonly R[]) => ReactNode;
}): JSX.Element {
  const [length, setLength] = useState(first);
  const list = useRef<HTMLDivElement>(null);
  /** The number of controls before the list grew. */
  const before = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (before.current === null) return;
    const added = list.current?.querySelectorAll<HTMLElement>(controls)[before.current];
    (added ?? list.current)?.focus();
    before.current = null;
  }, [length]);
  const shown = items.slice(0, length);
  return (
    <>
      <div ref={list} tabIndex={-1} className="limited">{children(shown)}</div>
      {shown.length < items.length && (
        <Button
          data-testid="show-more"
          onClick={() => {
            before.current = list.current?.querySelectorAll(controls).length ?? null;
            setLength(length + rowStep);
          }}
        >
          {lateWords.people.showMore(shown.length, items.length)}
        </Button>
      )}
    </>
  );
}
