// The keys that report something missed in a run-through: those of a keyboard, and of a pedal that turns pages.

import type { KeyPress } from './keys';

const missed: ReadonlySet<string> = new Set([
  ' ', 'Enter', 'm', 'M', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown',
]);

/** Whether a key press means that something was missed. */
export function isMissKey({ key, ctrlKey, metaKey, altKey }: KeyPress): boolean {
  return !ctrlKey && !metaKey && !altKey && missed.has(key);
}
