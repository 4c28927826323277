// How the moves of a part are laid out.

import type { IconName } from '../ui/Icon';

/** A list with notes, or two or three columns at a glance. */
export type Overview = 'list' | 'two' | 'three';

/** Gives the layout that the button shows next. */
export function nextOverview(overview: Overview): Overview {
  return overview === 'list' ? 'two' : overview === 'two' ? 'three' : 'list';
}

/** The icons and names of the layouts. */
export const overviewNames: Record<Overview, { icon: IconName; label: string }> = {
  list: { icon: 'list', label: 'list' },
  two: { icon: 'two', label: 'two columns' },
  three: { icon: 'three', label: 'three columns' },
};
