// The section loop from A to B as plain values, and how a press, a key or a drag changes it.

import type { LoopMode } from '../generated/engine';
import { framesPerSecond, shortestStretchFrames, type Stretch } from '../timeline';

/** The stored looping of a part. All frames are frames of the track. */
export interface LoopState {
  readonly loopMode: LoopMode;
  readonly markerA: number | null;
  readonly markerB: number | null;
}

/** What the next press of the section button does. */
export function sectionStep(state: LoopState): 'setA' | 'setB' | 'toggle' {
  if (state.markerA === null) return 'setA';
  return state.markerB === null ? 'setB' : 'toggle';
}

const within = (frame: number, bounds: Stretch): number => (
  Math.round(Math.min(bounds.endFrame, Math.max(bounds.startFrame, frame)))
);

/** The shortest section by two presses, which may come by mistake; a drag goes down to a tenth of a second. */
export const shortestPressedFrames = framesPerSecond;

/**
 * Orders two markers, inside the part and at least so far apart: a tenth of a second, if not told. A
 * shorter part is its own section.
 */
export function ordered(
  one: number, other: number, bounds: Stretch, least = shortestStretchFrames,
): { markerA: number; markerB: number } {
  let markerA = within(Math.min(one, other), bounds);
  let markerB = within(Math.max(one, other), bounds);
  if (markerB - markerA < least) {
    markerB = Math.min(bounds.endFrame, markerA + least);
    markerA = Math.max(bounds.startFrame, Math.min(markerA, markerB - least));
  }
  return { markerA, markerB };
}

/**
 * Sets A or B at a frame. With both set the section loop begins; in the wrong order they swap. The one that
 * is set keeps a second away from the other one.
 */
export function setMarker(state: LoopState, which: 'a' | 'b', frame: number, bounds: Stretch): LoopState {
  const other = which === 'a' ? state.markerB : state.markerA;
  if (other === null) {
    const alone = within(frame, bounds);
    return { ...state, markerA: which === 'a' ? alone : null, markerB: which === 'b' ? alone : null };
  }
  const least = shortestPressedFrames;
  const apart = frame < other ? Math.min(frame, other - least) : Math.max(frame, other + least);
  return { loopMode: 'section', ...ordered(apart, other, bounds, least) };
}

/**
 * Handles a press of the section button at a frame: set A, set B, then switch the section off and
 * on.
 */
export function pressSection(state: LoopState, frame: number, bounds: Stretch): LoopState {
  switch (sectionStep(state)) {
    case 'setA':
      return setMarker(state, 'a', frame, bounds);
    case 'setB':
      return setMarker(state, 'b', frame, bounds);
    default:
      return { ...state, loopMode: state.loopMode === 'section' ? 'off' : 'section' };
  }
}

/** Handles a press of the loop button: the whole part repeats, or nothing. Markers stay. */
export function pressLoop(state: LoopState): LoopState {
  return { ...state, loopMode: state.loopMode === 'whole' ? 'off' : 'whole' };
}

/** Removes the markers; a plain loop continues. */
export function clearSection(state: LoopState): LoopState {
  return {
    loopMode: state.loopMode === 'section' ? 'off' : state.loopMode, markerA: null, markerB: null,
  };
}

/**
 * Moves one marker; past the other one they swap letters. The other one stays, so the moved one
 * keeps a tenth of a second away from it, on the side with room.
 */
export function dragMarker(
  state: LoopState, which: 'a' | 'b', frame: number, bounds: Stretch,
): { state: LoopState; which: 'a' | 'b' } {
  const other = which === 'a' ? state.markerB : state.markerA;
  if (other === null) return { state: setMarker(state, which, frame, bounds), which };
  const latestA = other - shortestStretchFrames;
  const earliestB = other + shortestStretchFrames;
  const wantsA = frame === other ? which === 'a' : frame < other;
  const isA = wantsA ? latestA >= bounds.startFrame : earliestB > bounds.endFrame;
  const next = isA
    ? { markerA: Math.min(within(frame, bounds), latestA), markerB: other }
    : { markerA: other, markerB: Math.max(within(frame, bounds), earliestB) };
  return { state: { loopMode: state.loopMode, ...next }, which: isA ? 'a' : 'b' };
}

/** Reads a part's looping; a section without both markers does not loop. */
export function loopStateOf(
  part: { loopMode?: LoopMode | null; markerA?: number | null; markerB?: number | null },
  bounds: Stretch,
): LoopState {
  const inside = (frame: number | null | undefined): number | null => (
    frame == null || frame < bounds.startFrame || frame > bounds.endFrame ? null : frame
  );
  const markerA = inside(part.markerA);
  const markerB = inside(part.markerB);
  const loopMode = part.loopMode ?? 'off';
  const isWhole = markerA !== null && markerB !== null;
  return { loopMode: loopMode === 'section' && !isWhole ? 'off' : loopMode, markerA, markerB };
}
