// The speed to be reached in a part. It is a goal, not a practice setting: a reset of the part keeps it.

import type { EditOf, Part } from '../sync/records';

/** Returns the speed to be reached in percent; without one it is the recorded speed. */
export function targetPercent({ targetRate }: Pick<Part, 'targetRate'>): number {
  return Math.round((targetRate ?? 1) * 100);
}

/** Returns the fields for a speed to be reached. */
export function targetFields(percent: number): EditOf<'part'> {
  return { targetRate: percent === 100 ? null : percent / 100 };
}
