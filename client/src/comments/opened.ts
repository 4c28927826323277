// The comment that was asked for: the place that has it opens, and forgets it.

import { useSyncExternalStore } from 'react';
import { Listeners } from '../sync/listeners';

const listeners = new Listeners();
let asked: string | null = null;
let routine: string | null = null;

/** Asks for a comment to be shown at its place; null: no longer. One in another routine than that of the page is named with it. */
export function askFor(commentId: string | null, routineId: string | null = null): void {
  asked = commentId;
  routine = routineId;
  listeners.tell();
}

/** Forgets the comment that was asked for when the page of a routine closes, unless it is in another one. */
export function leftRoutine(routineId: string): void {
  if (routine === null || routine === routineId) askFor(null);
}

/** Returns the id of the comment that was asked for, or null. */
export function useAskedFor(): string | null {
  return useSyncExternalStore(listeners.add, () => asked);
}
