// The section loop from A to B as plain values, and how a press, a key or a drag changes it.

import type { Direction } from '../counts/grid';
import type { LoopMode } from '../generated/engine';
import { framesPerSecond, shortestStretchFrames, type Stretch } from '../timeline';

/** The stored looping of a part. All frames are frames of the track. */
export interface LoopState {
  readonly loopMode: LoopMode;
  readonly markerA: number | null;
  readonly markerB: number | null;
}

/** Where markers snap to: the counts and the borders of a part. */
export interface Stops {
  /** Returns the nearest one; the frame itself where there are no counts. */
  nearest(frame: number): number;
  /** Returns the next one after a frame, or before it; null at the border. */
  next(frame: number, direction: Direction): number | null;
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
 * Returns the stop nearest to a frame that is at least so far from the other marker, on the frame's side of it;
 * the frame itself without stops, or if there is none.
 */
function snapped(frame: number, other: number | null, side: Direction, least: number, stops: Stops | null): number {
  const nearest = stops?.nearest(frame) ?? frame;
  if (other === null) return nearest;
  let stop: number | null = nearest;
  while (stops && stop !== null && (stop - other) * side < least) stop = stops.next(stop, side);
  return stop ?? frame;
}

/**
 * Sets A or B at a frame, or at the nearest stop. With both set the section loop begins; in the wrong order they
 * swap. The one that is set keeps a second away from the other one.
 */
export function setMarker(
  state: LoopState, which: 'a' | 'b', frame: number, bounds: Stretch, stops: Stops | null = null,
): LoopState {
  const other = which === 'a' ? state.markerB : state.markerA;
  const least = shortestPressedFrames;
  const side = other !== null && (stops?.nearest(frame) ?? frame) < other ? -1 : 1;
  const at = snapped(frame, other, side, least, stops);
  if (other === null) {
    const alone = within(at, bounds);
    return { ...state, markerA: which === 'a' ? alone : null, markerB: which === 'b' ? alone : null };
  }
  const apart = side < 0 ? Math.min(at, other - least) : Math.max(at, other + least);
  return { loopMode: 'section', ...ordered(apart, other, bounds, least) };
}

/** Moves the markers that a change has moved to the nearest stops. */
export function snappedChange(before: LoopState, { loopMode, ...next }: LoopState, stops: Stops | null): LoopState {
  const moved = (frame: number | null, was: number | null, other: number | null, side: Direction): number | null => (
    frame === null || frame === was ? frame : snapped(frame, other, side, shortestPressedFrames, stops)
  );
  const markerA = moved(next.markerA, before.markerA, next.markerB, -1);
  return { loopMode, markerA, markerB: moved(next.markerB, before.markerB, markerA, 1) };
}

/** How far a marker moves where it does not snap: a tenth of a second. */
export const markerStepFrames = framesPerSecond / 10;

/** Moves a marker to the next stop, or by a tenth of a second; null at the part's border and at the other marker. */
export function stepMarker(
  state: LoopState, which: 'a' | 'b', direction: Direction, bounds: Stretch, stops: Stops | null,
): LoopState | null {
  const [frame, other] = which === 'a' ? [state.markerA, state.markerB] : [state.markerB, state.markerA];
  if (frame === null) return null;
  const to = stops ? stops.next(frame, direction) : within(frame + direction * markerStepFrames, bounds);
  if (to === null || to === frame) return null;
  if (other !== null && (which === 'a' ? other - to : to - other) < shortestStretchFrames) return null;
  return { ...state, [which === 'a' ? 'markerA' : 'markerB']: to };
}

/**
 * Handles a press of the section button at a frame: set A, set B, then switch the section off and
 * on.
 */
export function pressSection(state: LoopState, frame: number, bounds: Stretch, stops: Stops | null = null): LoopState {
  switch (sectionStep(state)) {
    case 'setA':
      return setMarker(state, 'a', frame, bounds, stops);
    case 'setB':
      return setMarker(state, 'b', frame, bounds, stops);
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
  state: LoopState, which: 'a' | 'b', frame: number, bounds: Stretch, stops: Stops | null = null,
): { state: LoopState; which: 'a' | 'b' } {
  const other = which === 'a' ? state.markerB : state.markerA;
  if (other === null) return { state: setMarker(state, which, frame, bounds, stops), which };
  const latestA = other - shortestStretchFrames;
  const earliestB = other + shortestStretchFrames;
  const wantsA = frame === other ? which === 'a' : frame < other;
  const isA = wantsA ? latestA >= bounds.startFrame : earliestB > bounds.endFrame;
  const at = within(snapped(frame, other, isA ? -1 : 1, shortestStretchFrames, stops), bounds);
  const next = isA
    ? { markerA: Math.min(at, latestA), markerB: other }
    : { markerA: other, markerB: Math.max(at, earliestB) };
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
