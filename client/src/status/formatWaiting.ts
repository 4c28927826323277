// Formats what waits for the server. Pure.

import type { WaitingCounts } from '../offline/waitingFiles';
import { listText } from '../words/format';
import { words } from '../words/words';

/** Lists pending items: `3 changes, 2 songs and 1 video`; empty if there are none. */
export function formatWaiting(changes: number, { songs, videos, recordings }: WaitingCounts): string {
  const { status } = words;
  const counts = [
    [changes, status.changes], [songs, status.songs], [videos, status.videos], [recordings, status.recordings],
  ] as const;
  return listText(counts.filter(([count]) => count > 0).map(([count, counted]) => counted(count)));
}
