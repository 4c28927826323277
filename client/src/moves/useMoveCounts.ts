// The counts of a part for its moves.

import { useMemo } from 'react';
import { partAudio } from '../parts/partAudio';
import type { PartCounts } from '../audio/playedCounts';
import { useFromCounts, useFromLibrary, useServices } from '../services/services';
import type { Part } from '../sync/records';

/** Returns the counts of a part; null until they are known, and for a song without. */
export function useMoveCounts(part: Part): PartCounts | null {
  const { counts } = useServices();
  const track = useFromLibrary((library) => (part.track ? library.get('track', part.track) : undefined));
  const version = useFromCounts((current) => current.version);
  return useMemo(() => {
    const audio = partAudio(part, track);
    return audio.kind === 'ready' ? counts.of(audio.playable.trackId, audio.bounds) : null;
  }, [counts, version, part, track]);
}
