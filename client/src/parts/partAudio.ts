// Whether a part can be played, and why not: decided from its track.

import type { PlayerPart } from '../audio/player';
import type { Part, Track } from '../sync/records';
import type { Stretch } from '../timeline';
import { words } from '../words/words';

/** The state of a part's audio. */
export type PartAudio =
  | { readonly kind: 'ready'; readonly playable: PlayerPart; readonly bounds: Stretch }
  | { readonly kind: 'importing' }
  | { readonly kind: 'none' | 'broken'; readonly sentence: string };

/** Returns the length of a part in frames, 0 if unknown. */
export function partLength(part: Part, track: Track | undefined): number {
  const end = part.endFrame ?? track?.lengthFrames ?? 0;
  return Math.max(0, end - (part.startFrame ?? 0));
}

/** Decides whether a part can be played. A part without its own borders is the whole track. */
export function partAudio(part: Part, track: Track | undefined): PartAudio {
  if (!part.track) return { kind: 'none', sentence: words.parts.noAudio };
  if (!track) {
    return { kind: 'broken', sentence: words.parts.audioMissing };
  }
  if (track.state === 'failed') {
    return { kind: 'broken', sentence: track.problem ?? words.parts.audioFailed };
  }
  if (track.state !== 'ready' || !track.lengthFrames) return { kind: 'importing' };
  const startFrame = Math.min(part.startFrame ?? 0, track.lengthFrames);
  const endFrame = Math.min(part.endFrame ?? track.lengthFrames, track.lengthFrames);
  if (endFrame <= startFrame) {
    return { kind: 'broken', sentence: words.parts.isEmpty };
  }
  return {
    kind: 'ready',
    bounds: { startFrame, endFrame },
    playable: { id: part.id, trackId: track.id, trackLengthFrames: track.lengthFrames, startFrame, endFrame },
  };
}
