// The choice of a move's type: one that exists, none, or a new one.

import type { LocalLibrary } from '../sync/library';
import type { MoveType } from '../sync/records';
import { excess, limits } from '../sync/validation';
import { nextMoveColour, proposedAbbreviation } from '../ui/moveTypes';

/** What is chosen: nothing yet, a type, none, or a new one. */
export interface TypeChoice {
  readonly kind: 'open' | 'type' | 'none' | 'new';
  readonly typeId: string | null;
  readonly name: string;
  /** Null: as the name proposes it. */
  readonly abbreviation: string | null;
}

/** Begins a choice: with a type, or with nothing. */
export function choiceOf(typeId: string | null): TypeChoice {
  return { kind: typeId === null ? 'open' : 'type', typeId, name: '', abbreviation: null };
}

/** Says whether the choice is made, and a new type can be saved. */
export function isChosen(choice: TypeChoice): boolean {
  if (choice.kind !== 'new') return choice.kind !== 'open';
  const { name, abbreviation } = limits.moveType;
  return choice.name.trim() !== '' && excess(choice.name, name) === null
    && excess(abbreviationOf(choice), abbreviation) === null;
}

/** Gives the abbreviation as it was typed, or as the name proposes it. */
export const abbreviationOf = (choice: TypeChoice): string => (
  choice.abbreviation ?? proposedAbbreviation(choice.name)
);

/** Gives the id of the chosen type, and makes it first if it is new; a name that exists is that type. */
export function resolveType(library: LocalLibrary, choice: TypeChoice): string | null {
  if (choice.kind !== 'new') return choice.kind === 'type' ? choice.typeId : null;
  const name = choice.name.trim();
  const types = library.all('moveType');
  return typeNamed(types, name)?.id ?? library.create('moveType', {
    name, abbreviation: abbreviationOf(choice).trim(), colour: nextMoveColour(types.map(({ colour }) => colour)),
  });
}

function typeNamed(types: readonly MoveType[], name: string): MoveType | undefined {
  // Marks tell words apart: “Drücken” is not “Drucken”.
  const plain = (text: string): string => text.normalize('NFC').toLowerCase();
  return types.find((type) => plain(type.name) === plain(name));
}
