// What a song is called.

import type { Track } from '../sync/records';
import { titleFromFileName } from '../ui/text';

/** Gives the name of a track as people know it. */
export function trackTitle(track: Track): string {
  return track.title ?? titleFromFileName(track.fileName ?? '');
}
