// The snap position of a dragged border: a count, an attack, a silence, or a zero crossing. Pure.

import type { Peaks } from '../../ui/peaks';

/** What a border may snap to. */
export type SnapKind = 'counts' | 'attacks' | 'silence' | 'zero';

/** The kinds in the order of the interface. */
export const snapKinds: readonly SnapKind[] = ['counts', 'attacks', 'silence', 'zero'];

/** The counts of a track, ascending; of the eights the first counts. */
export interface CountFrames {
  readonly all: readonly number[];
  readonly eights: readonly number[];
}

/** The snap distance in CSS pixels. */
const nearPixels = 8;

/** The maximum snap distance at any zoom: half a second. */
const farthestFrames = 24_000;

/** Zero crossings are searched within ten milliseconds. */
export const zeroReach = 480;

/** Parses the setting: kinds separated by commas. Counts are left out for a track that has none. */
export function readSnap(setting: string, hasCounts: boolean): readonly SnapKind[] {
  const named = setting.split(',');
  return snapKinds.filter((kind) => named.includes(kind) && (hasCounts || kind !== 'counts'));
}

/** Returns the setting with one kind switched on or off. */
export function toggledSnap(setting: string, kind: SnapKind): string {
  const kinds = readSnap(setting, true);
  return snapKinds.filter((each) => (each === kind ? !kinds.includes(kind) : kinds.includes(each))).join(',');
}

/** Returns the snap distance in frames. */
export function reachOf(framesPerPixel: number): number {
  return Math.min(farthestFrames, Math.ceil(nearPixels * framesPerPixel));
}

/** Returns the nearest of ascending frames, if one lies within `reach`. */
export function nearest(frames: ArrayLike<number>, frame: number, reach: number): number | null {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frames[middle] ?? 0) < frame) low = middle + 1;
    else high = middle;
  }
  const candidates = [frames[low - 1], frames[low]].filter(
    (each): each is number => each !== undefined && Math.abs(each - frame) <= reach,
  );
  const [best = null] = candidates.sort((one, other) => Math.abs(one - frame) - Math.abs(other - frame));
  return best;
}

/**
 * Returns the frame to snap to: the first count of an eight if one is in reach, because phrases begin
 * there; otherwise the nearest of the counts and of `others`. Null if none is in reach.
 */
export function nearestOfAll(
  counts: CountFrames | null, others: readonly (number | null)[], frame: number, reach: number,
): number | null {
  const eight = counts && nearest(counts.eights, frame, reach);
  if (eight !== null) return eight;
  const found = [counts && nearest(counts.all, frame, reach), ...others]
    .filter((each): each is number => each !== null)
    .sort((one, other) => one - other);
  return nearest(found, frame, reach);
}

/** Returns the middle of the quietest run of peaks within `reach`; of several, the nearest. */
export function quietest(peaks: Peaks, frame: number, reach: number): number | null {
  const step = peaks.framesPerPixel;
  const count = peaks.pairs.length / 2;
  const first = Math.max(0, Math.ceil((frame - reach) / step - 0.5));
  const last = Math.min(count - 1, Math.floor((frame + reach) / step - 0.5));
  let best: number | null = null;
  let bestLevel = Infinity;
  for (let pair = first; pair <= last; pair += 1) {
    const middle = Math.round((pair + 0.5) * step);
    const level = levelAt(peaks, pair);
    const isNearer = best === null || Math.abs(middle - frame) < Math.abs(best - frame);
    if (level < bestLevel || (level === bestLevel && isNearer)) {
      best = middle;
      bestLevel = level;
    }
  }
  return best;
}

/** The level around a pair: its neighbours count too, so that a single low pair is no silence. */
function levelAt(peaks: Peaks, pair: number): number {
  let level = 0;
  for (let at = pair - 1; at <= pair + 1; at += 1) {
    level = Math.max(level, -(peaks.pairs[at * 2] ?? 0), peaks.pairs[at * 2 + 1] ?? 0);
  }
  return level;
}

/**
 * Returns the nearest frame at which the sum of both channels crosses zero. `samples` begin at
 * frame `offset`; the result is the first frame after the crossing, so that a cut there does not
 * click.
 */
export function zeroCrossing(
  left: Float32Array, right: Float32Array, offset: number, frame: number, reach: number,
): number | null {
  const sum = (at: number): number => (left[at] ?? 0) + (right[at] ?? 0);
  const here = Math.round(frame) - offset;
  for (let distance = 0; distance <= reach; distance += 1) {
    for (const at of distance === 0 ? [here] : [here - distance, here + distance]) {
      if (at < 1 || at >= left.length) continue;
      const before = sum(at - 1);
      const now = sum(at);
      if (now === 0 || (before < 0 && now > 0) || (before > 0 && now < 0)) return at + offset;
    }
  }
  return null;
}
