// What a miss is called: its move, or else its part, and where it lies.

import type { PlayedCounts } from '../audio/playedCounts';
import { partAudio } from '../parts/partAudio';
import type { Miss } from '../practice/misses';
import type { LocalLibrary } from '../sync/library';
import type { Part } from '../sync/records';
import { clock } from '../ui/time';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

/** The two lines of a miss. */
export interface MissText {
  readonly title: string;
  readonly place: string;
}

/** Writes a miss, as in "Turn" and "2. Chorus · Eight 3, count 5". */
export function missText(
  library: Pick<LocalLibrary, 'get'>, counts: Pick<PlayedCounts, 'of'>, parts: readonly Part[], miss: Miss,
): MissText {
  const index = parts.findIndex(({ id }) => id === miss.partId);
  const part = parts[index];
  const move = miss.moveId === null ? undefined : library.get('move', miss.moveId);
  const title = move?.title ?? part?.title ?? lateWords.runThrough.gone;
  if (!part) return { title, place: '' };
  const name = `${index + 1}. ${part.title}`;
  const audio = partAudio(part, part.track ? library.get('track', part.track) : undefined);
  if (audio.kind !== 'ready') return { title, place: name };
  const at = counts.of(audio.playable.trackId, audio.bounds)?.grid.positionIn(miss.frame, audio.bounds);
  const where = !at ? clock(miss.frame - audio.bounds.startFrame)
    : at.eight < 1 ? words.player.pickUpPlace(at.count) : words.player.countPlace(at.eight, at.count);
  return { title, place: `${name} · ${where}` };
}
