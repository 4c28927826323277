// The pieces of the clipper's page: as the library has them, and the one that is heard.

import { useMemo, useState } from 'react';
import { usePlayhead } from '../parts/usePlayhead';
import { useFromLibrary } from '../services/services';
import type { Part, Track } from '../sync/records';
import { pieceOfClip, pieceOfPart } from './actions';
import { pieceAt, type Piece } from './model/pieces';

const noParts: readonly Part[] = [];

/** Reads a track's clips; with a part, its routine's parts on this track. */
export function useStoredPieces({ id: trackId, lengthFrames }: Track, part: Part | null): readonly Piece[] {
  const clips = useFromLibrary((current) => current.clips(trackId));
  const siblings = useFromLibrary((current) => (part ? current.parts(part.routine) : noParts));
  return useMemo(() => (
    part
      ? siblings.filter((each) => each.track === trackId).map((each) => pieceOfPart(each, lengthFrames ?? 0))
      : clips.map(pieceOfClip)
  ), [part, siblings, clips, trackId, lengthFrames]);
}

/** Follows the playing piece; renders again only when it changes. */
export function useHeardPiece(pieces: readonly Piece[]): string | null {
  const [id, setId] = useState<string | null>(null);
  usePlayhead((frame) => {
    const heard = pieceAt(pieces, frame)?.id ?? null;
    if (heard !== id) setId(heard);
  });
  return id;
}
