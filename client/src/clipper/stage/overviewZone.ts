// What of the overview's window a press takes hold of. Pure.

/** What a press on the overview moves. */
export type OverviewZone = 'left' | 'right' | 'window' | 'outside';

/** How far outside an edge still is the edge. */
const reach = 22;

/**
 * Finds what is at a pixel, for a window from `left` to `right`. The edges reach outwards, and inwards
 * at most a third, so that a narrow window can still be taken in its middle.
 */
export function overviewZone(pixel: number, left: number, right: number, isWhole: boolean): OverviewZone {
  const inwards = Math.min(reach, (right - left) / 3);
  if (pixel >= left - reach && pixel < left + inwards) return 'left';
  if (pixel > right - inwards && pixel <= right + reach) return 'right';
  if (pixel >= left && pixel <= right) return isWhole ? 'outside' : 'window';
  return 'outside';
}

/** The window as it is drawn: never too narrow to be seen. */
export function drawnWindow(left: number, right: number, width: number): { left: number; right: number } {
  const least = Math.min(12, width);
  if (right - left >= least) return { left, right };
  const from = Math.max(0, Math.min((left + right - least) / 2, width - least));
  return { left: from, right: from + least };
}
