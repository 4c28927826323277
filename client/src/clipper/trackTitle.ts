// The display name of a song.

import type { Track } from '../sync/records';
import { titleFromFileName } from '../ui/text';

/** Returns the display name of a track. */
export function trackTitle(track: Track): string {
  return track.title ?? titleFromFileName(track.fileName ?? '');
}
