// What stands above the list of routines: the search, the order, and the tags to filter by.

import type { Routine } from '../sync/records';
import { remember } from '../ui/device';
import { Icon } from '../ui/Icon';
import { MenuButton } from '../ui/MenuButton';
import { SearchField } from '../ui/SearchField';
import { words } from '../words/words';
import { routineOrders, shownRoutines, type Wanted } from './routineSearch';
import { allTags, hasTag } from './tags';

interface ListToolsProps {
  readonly routines: readonly Routine[];
  readonly wanted: Wanted;
  /** The number of routines that are shown. */
  readonly found: number;
  readonly onWanted: (wanted: Wanted) => void;
}

/** Changes what the list shows. */
export function ListTools({ routines, wanted, found, onWanted }: ListToolsProps): JSX.Element {
  const { tags, order } = wanted;
  // With some tags chosen, only those are offered that leave something to show.
  const offered = allTags(tags.length === 0 ? routines : shownRoutines(routines, { ...wanted, search: '' }));
  return (
    <>
      <div className="list-tools">
        <SearchField
          label={words.routines.search} value={wanted.search} found={words.routines.found(found)}
          testId="routines-search" onChange={(search) => onWanted({ ...wanted, search })}
        />
        <MenuButton
          icon="sort" label={words.routines.sortedBy(words.routines.orders[order])} menuLabel={words.routines.order}
          testId="routines-sort"
          items={() => routineOrders.map((each) => ({
            label: words.routines.orders[each], isChosen: each === order, testId: `sort-${each}`,
            run: () => {
              remember('routinesOrder', each);
              onWanted({ ...wanted, order: each });
            },
          }))}
        />
      </div>
      {offered.length > 0 && (
        <div className="tag-filter" role="group" aria-label={words.routines.tags} data-testid="tag-filter">
          {offered.map((tag) => {
            const isOn = hasTag(tags, tag);
            return (
              <button
                key={tag} type="button" className="tag" aria-pressed={isOn} dir="auto"
                onClick={() => onWanted({ ...wanted, tags: isOn ? tags.filter((other) => !hasTag([other], tag)) : [...tags, tag] })}
              >
                {isOn && <Icon name="check" size={16} />}
                {tag}
              </button>
            );
          })}
        </div>
      )}
    </>
  );
}
