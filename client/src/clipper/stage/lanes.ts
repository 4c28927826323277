// Distributes overlapping bands to rows. Pure.

import type { Stretch } from '../../timeline';

/**
 * Returns for each range, in the given order, the first row without an overlap; at most `rows`
 * rows, the last of which takes the rest.
 */
export function laneOf(stretches: readonly Stretch[], rows: number): number[] {
  const laid: Stretch[][] = [];
  return stretches.map((stretch) => {
    let row = laid.findIndex((others) => others.every((other) => (
      stretch.startFrame >= other.endFrame || stretch.endFrame <= other.startFrame
    )));
    if (row === -1) row = Math.min(laid.length, rows - 1);
    const others = laid[row];
    if (others) others.push(stretch);
    else laid.push([stretch]);
    return row;
  });
}
