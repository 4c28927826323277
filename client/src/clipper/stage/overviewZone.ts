// The part of the overview's window that a press grabs. Pure.

/** The part that a press on the overview moves. */
export type OverviewZone = 'left' | 'right' | 'window' | 'outside';

/** How far outside an edge a press still grabs it, in pixels. */
const reach = 22;

/**
 * Returns the part at a pixel, for a window from `left` to `right`. The edges extend outwards, and
 * inwards by at most a third, so that a narrow window can still be grabbed in its middle.
 */
export function overviewZone(pixel: number, left: number, right: number, isWhole: boolean): OverviewZone {
  const inwards = Math.min(reach, (right - left) / 3);
  if (pixel >= left - reach && pixel < left + inwards) return 'left';
  if (pixel > right - inwards && pixel <= right + reach) return 'right';
  if (pixel >= left && pixel <= right) return isWhole ? 'outside' : 'window';
  return 'outside';
}

/** The window as drawn: always wide enough to be visible. */
export function drawnWindow(left: number, right: number, width: number): { left: number; right: number } {
  const least = Math.min(12, width);
  if (right - left >= least) return { left, right };
  const from = Math.max(0, Math.min((left + right - least) / 2, width - least));
  return { left: from, right: from + least };
}
