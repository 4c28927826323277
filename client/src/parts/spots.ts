// Spots: sections of a part that are kept, and what saving and choosing one changes.

import type { LocalLibrary } from '../sync/library';
import type { Spot } from '../sync/records';
import { shortestStretchFrames, type Stretch } from '../timeline';
import { ordered, type LoopState } from './section';

/** The most spots of a part. */
export const mostSpots = 50;

/** A spot as the part's borders leave it. */
export interface SpotWithin extends Stretch {
  readonly spot: Spot;
}

/** Returns the spots that have at least a tenth of a second inside the part, without what lies outside. */
export function spotsWithin(spots: readonly Spot[], bounds: Stretch): readonly SpotWithin[] {
  return spots
    .map((spot) => ({
      spot,
      startFrame: Math.max(spot.startFrame, bounds.startFrame),
      endFrame: Math.min(spot.endFrame, bounds.endFrame),
    }))
    .filter(({ startFrame, endFrame }) => endFrame - startFrame >= shortestStretchFrames);
}

/** Whether A and B are at the borders of a spot. */
export function isAt(state: LoopState, { startFrame, endFrame }: Stretch): boolean {
  return state.markerA === startFrame && state.markerB === endFrame;
}

/** Returns the looping that a press on a spot begins; on the spot that loops, the press ends it. */
export function pressSpot(state: LoopState, spot: Stretch, bounds: Stretch): LoopState {
  if (isAt(state, spot) && state.loopMode === 'section') return { ...state, loopMode: 'off' };
  return { loopMode: 'section', ...ordered(spot.startFrame, spot.endFrame, bounds) };
}

/** Returns A to B as a stretch that can be kept; null without both, or if a spot has these borders. */
export function unsavedSection(state: LoopState, spots: readonly Stretch[]): Stretch | null {
  const { markerA, markerB } = state;
  if (markerA === null || markerB === null || spots.length >= mostSpots) return null;
  return spots.some((spot) => isAt(state, spot)) ? null : { startFrame: markerA, endFrame: markerB };
}

/** Keeps a section as a spot of a part; returns its id. */
export function saveSpot(library: LocalLibrary, partId: string, { startFrame, endFrame }: Stretch): string {
  return library.create('spot', { part: partId, startFrame, endFrame });
}
