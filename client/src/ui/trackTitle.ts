// The display name of a song.

import type { Track } from '../sync/records';
import { tidied, titleFromFileName } from './text';

/**
 * Returns the display name of a track. A name that the server took from the file is tidied, as a
 * new routine's is; one that a person typed stays as it is.
 */
export function trackTitle({ title, fileName }: Pick<Track, 'title' | 'fileName'>): string {
  if (title == null) return titleFromFileName(fileName ?? '');
  const isFromFile = fileName?.startsWith(title) === true && /^(\.[^.]*)?$/.test(fileName.slice(title.length));
  return isFromFile ? tidied(title) || title : title;
}
