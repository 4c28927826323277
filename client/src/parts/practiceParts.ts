// Parts as the arithmetic of practice takes them.

import type { PlayedCounts } from '../audio/playedCounts';
import type { PracticePart } from '../practice/parts';
import type { LocalLibrary } from '../sync/library';
import type { Part } from '../sync/records';
import { partAudio } from './partAudio';

/** Returns a part with its moves; a move has a frame once the counts of its song are known. */
export function practicePartOf(
  library: Pick<LocalLibrary, 'get' | 'moves'>, counts: Pick<PlayedCounts, 'of'>, part: Part,
): PracticePart {
  const audio = partAudio(part, part.track ? library.get('track', part.track) : undefined);
  const bounds = audio.kind === 'ready' ? audio.bounds : { startFrame: 0, endFrame: 0 };
  const known = audio.kind === 'ready' ? counts.of(audio.playable.trackId, bounds) : null;
  return {
    id: part.id, ...bounds, targetRate: part.targetRate ?? 1, hasAudio: audio.kind === 'ready',
    moves: library.moves(part.id).map(({ id, startCount }) => {
      const frame = typeof startCount === 'number' ? known?.grid.frameAt(startCount, bounds) ?? null : null;
      return { id, startFrame: frame === null ? null : Math.max(0, Math.round(frame)) };
    }),
  };
}
