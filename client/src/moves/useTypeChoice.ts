// The choice of a type for a part's new move, or for one move.

import { useState } from 'react';
import type { TypeChoice } from './typeChoice';

/** Typed new types that are not created yet: closing the sheet does not lose them. */
const typed = new Map<string, TypeChoice>();

/**
 * Holds a choice. A new type stays pending, for the part or move with this id, until another choice
 * is made.
 */
export function useTypeChoice(
  id: string, begin: () => TypeChoice,
): [choice: TypeChoice, choose: (choice: TypeChoice) => void] {
  const [choice, setChoice] = useState(() => typed.get(id) ?? begin());
  return [choice, (chosen) => {
    if (chosen.kind === 'new' && (chosen.name + (chosen.abbreviation ?? '')).trim() !== '') typed.set(id, chosen);
    else typed.delete(id);
    setChoice(chosen);
  }];
}
