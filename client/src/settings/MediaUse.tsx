// Where a track or a video is used, in one line.

import { Named } from '../ui/Named';
import { lateWords } from '../words/lateWords';
import type { Use } from './media';

/** Shows the routine by its title, or several by their number, and the number of parts. */
export function MediaUse({ uses }: { uses: readonly Use[] }): JSX.Element | null {
  const { settings } = lateWords;
  const [first] = uses;
  if (!first) return null;
  const routines = new Set(uses.map(({ routine }) => routine)).size;
  const parts = settings.partCount(uses.length);
  return (
    <small data-testid="media-use">
      {routines === 1
        ? <Named message={(title) => settings.usedIn(title, parts)} name={first.routineTitle} />
        : settings.usedIn(settings.routineCount(routines), parts)}
    </small>
  );
}
