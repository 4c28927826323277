// Whether A and B snap to the counts of the part that is played.

import type { Services } from '../services/services';
import type { Stops } from './section';

/** Returns what markers snap to; null if they don't. */
export function stopsOf({ library, counts }: Pick<Services, 'library' | 'counts'>): Stops | null {
  return library.setting('markerSnap') && counts.hasCounts ? counts : null;
}
