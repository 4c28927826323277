// The comment that was asked for: the place that has it opens, and forgets it.

import { useSyncExternalStore } from 'react';
import { Listeners } from '../sync/listeners';

const listeners = new Listeners();
let asked: string | null = null;

/** Asks for a comment to be shown at its place; null: no longer. */
export function askFor(commentId: string | null): void {
  asked = commentId;
  listeners.tell();
}

/** Returns the id of the comment that was asked for, or null. */
export function useAskedFor(): string | null {
  return useSyncExternalStore(listeners.add, () => asked);
}
