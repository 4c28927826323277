// The choice of a type for one part's new move, or for one move.

import { useState } from 'react';
import type { TypeChoice } from './typeChoice';

/** New types that were typed and are not made yet: closing the sheet loses none of it. */
const typed = new Map<string, TypeChoice>();

/** Holds a choice. A new type waits, for the part or move with this id, until another choice is made. */
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
