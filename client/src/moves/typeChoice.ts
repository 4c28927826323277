// The choice of a move's type: an existing one, none, or a new one.

import type { LocalLibrary } from '../sync/library';
import type { MoveType } from '../sync/records';
import { excess, limits } from '../sync/validation';
import { nextMoveColour, proposedAbbreviation } from '../ui/moveTypes';

/** The choice: nothing yet, a type, none, or a new one. */
export interface TypeChoice {
  readonly kind: 'open' | 'type' | 'none' | 'new';
  readonly typeId: string | null;
  readonly name: string;
  /** Null: as proposed from the name. */
  readonly abbreviation: string | null;
}

/** Starts a choice: with a type, or with nothing. */
export function choiceOf(typeId: string | null): TypeChoice {
  return { kind: typeId === null ? 'open' : 'type', typeId, name: '', abbreviation: null };
}

/** Whether the choice is made, and a new type can be saved. */
export function isChosen(choice: TypeChoice): boolean {
  if (choice.kind !== 'new') return choice.kind !== 'open';
  const { name, abbreviation } = limits.moveType;
  return choice.name.trim() !== '' && excess(choice.name, name) === null
    && excess(abbreviationOf(choice), abbreviation) === null;
}

/** Returns the abbreviation as typed, or as proposed from the name. */
export const abbreviationOf = (choice: TypeChoice): string => (
  choice.abbreviation ?? proposedAbbreviation(choice.name)
);

/**
 * Returns the id of the chosen type, and creates a new one first; a name that exists means that
 * type. A new one is in the group of the routine, if it has one.
 */
export function resolveType(library: LocalLibrary, choice: TypeChoice, space?: string): string | null {
  if (choice.kind !== 'new') return choice.kind === 'type' ? choice.typeId : null;
  const name = choice.name.trim();
  const types = typesIn(library.all('moveType'), space);
  return typeNamed(types, name)?.id ?? library.create('moveType', {
    name, abbreviation: abbreviationOf(choice).trim(), colour: nextMoveColour(types.map(({ colour }) => colour)),
  }, space);
}

/** Returns the types of a group, or the person's own: the others of a group see only those. */
export const typesIn = (types: readonly MoveType[], space: string | undefined): readonly MoveType[] => (
  types.filter((type) => type.space === space)
);

/** Returns the group that a part's routine belongs to. */
export function spaceOfPart(library: Pick<LocalLibrary, 'get'>, partId: string): string | undefined {
  const part = library.get('part', partId);
  return part && library.get('routine', part.routine)?.space;
}

function typeNamed(types: readonly MoveType[], name: string): MoveType | undefined {
  // Diacritics distinguish words: “Drücken” is not “Drucken”.
  const plain = (text: string): string => text.normalize('NFC').toLowerCase();
  return types.find((type) => plain(type.name) === plain(name));
}
