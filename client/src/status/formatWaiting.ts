// Formats what waits for the server. Pure.

import { plural } from '../ui/time';
import type { WaitingCounts } from '../offline/waitingFiles';

/** Lists pending items: `3 changes, 2 songs and 1 video`; empty if there are none. */
export function formatWaiting(changes: number, { songs, videos }: WaitingCounts): string {
  const counts = [[changes, 'change'], [songs, 'song'], [videos, 'video']] as const;
  const words = counts.filter(([count]) => count > 0).map(([count, noun]) => plural(count, noun));
  const last = words.pop() ?? '';
  return words.length > 0 ? `${words.join(', ')} and ${last}` : last;
}
