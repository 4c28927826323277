// A person in a list: name and colour.

import type { Person } from '../people/api';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

/** A person, and whether this device is theirs. */
interface PersonProps {
  readonly person: Person | undefined;
  readonly me: string;
}

/** The disc with the colour of a person. */
export function PersonDot({ person }: { person: Person | undefined }): JSX.Element {
  return <span className="person-dot" style={{ backgroundColor: person?.colour }} />;
}

/** The name, whose text direction ends with it. */
export function PersonName({ person, me }: PersonProps): JSX.Element {
  const { youAlone, you } = lateWords.people;
  const name = person?.name ?? '';
  if (person?.id !== me) return <b><bdi>{name || words.people.owner}</bdi></b>;
  return name === '' ? <b>{youAlone}</b> : <b><bdi>{name}</bdi>{` (${you})`}</b>;
}

/** The same as a text, for a title or a label. */
export function personName(person: Person | undefined, me: string): string {
  const name = person?.name ?? '';
  return name || (person?.id === me ? lateWords.people.youAlone : words.people.owner);
}
