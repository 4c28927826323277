// What a group is called where its routines are shown.

import type { Space } from '../sync/wire';
import { listText } from '../words/format';
import { words } from '../words/words';

/** Returns the name of a group; without one it says who shares with whom. */
export function spaceName({ name, role, with: others = [] }: Space): string {
  if (name !== '') return name;
  const names = listText(others.map((other) => other || words.people.owner));
  if (names === '') return words.people.shared;
  return role === 'owner' ? words.people.sharedWith(names) : words.people.sharedBy(names);
}

/** Returns the name of the group that a routine belongs to; null if it is the person's own. */
export function spaceNameOf(spaces: readonly Space[], { space }: { readonly space?: string }): string | null {
  const group = space === undefined ? undefined : spaces.find(({ id }) => id === space);
  return group ? spaceName(group) : null;
}
