// The requests about people and groups.

import { apiAddress } from '../apiAddress';
import { ask, fieldsOf, notSegmance } from '../sync/ask';
import type { Role } from '../sync/wire';

/** Somebody who uses this server. */
export interface Person {
  readonly id: string;
  /** Empty while the owner has not given one. */
  readonly name: string;
  /** "#rrggbb". */
  readonly colour: string;
}

/** Somebody in a group. */
export interface Member {
  /** The id of the person. */
  readonly person: string;
  readonly role: Role;
}

/** A group, as its member sees it. */
export interface Group {
  readonly id: string;
  /** Empty if a routine is shared with single people. */
  readonly name: string;
  /** The role of the one who asks. */
  readonly role: Role;
  readonly members: readonly Member[];
}

/** The limits of names, in characters. */
export const longestPersonName = 60;
export const longestGroupName = 60;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const roleOf = (value: unknown): Role => (value === 'owner' || value === 'teacher' ? value : 'performer');

/** Reads a person from an answer; null if it is none. */
export function asPerson(value: unknown): Person | null {
  const { id, name, colour } = (value ?? {}) as { readonly [field: string]: unknown };
  return typeof id === 'string' ? { id, name: text(name), colour: text(colour) } : null;
}

function asGroup(value: unknown): Group {
  const { id, name, role, members } = fieldsOf(value);
  if (typeof id !== 'string' || !Array.isArray(members)) throw notSegmance();
  return {
    id, name: text(name), role: roleOf(role),
    members: members.map((member) => {
      const fields = fieldsOf(member);
      return { person: text(fields['person']), role: roleOf(fields['role']) };
    }),
  };
}

function known<V>(value: V | null): V {
  if (value === null) throw notSegmance();
  return value;
}

/** Lists everybody, the owner first. */
export async function fetchPeople(): Promise<readonly Person[]> {
  const { people } = fieldsOf((await ask('GET', apiAddress.people)).value);
  if (!Array.isArray(people)) throw notSegmance();
  return people.map((each) => known(asPerson(each)));
}

/** Adds a person, who has no device yet. */
export async function addPerson(name: string, colour: string): Promise<Person> {
  return known(asPerson((await ask('POST', apiAddress.people, { value: { name: name.trim(), colour } })).value));
}

/** Changes a person's name or colour. */
export async function changePerson(id: string, fields: { readonly name?: string; readonly colour?: string }): Promise<void> {
  await ask('PATCH', apiAddress.person(id), { value: fields });
}

/** Removes a person with all that is theirs. */
export async function removePerson(id: string): Promise<void> {
  await ask('DELETE', apiAddress.person(id));
}

/** Lists the groups of this device's person. */
export async function fetchGroups(): Promise<readonly Group[]> {
  const { groups } = fieldsOf((await ask('GET', apiAddress.groups)).value);
  if (!Array.isArray(groups)) throw notSegmance();
  return groups.map(asGroup);
}

/** Makes a group, of which this device's person becomes an owner. */
export async function makeGroup(name: string, members: readonly Member[]): Promise<Group> {
  return asGroup((await ask('POST', apiAddress.groups, { value: { name: name.trim(), members } })).value);
}

/** Renames a group. */
export async function renameGroup(id: string, name: string): Promise<void> {
  await ask('PATCH', apiAddress.group(id), { value: { name: name.trim() } });
}

/** Takes somebody into a group, or gives a member another role. */
export async function setMember(group: string, { person, role }: Member): Promise<Group> {
  return asGroup((await ask('PUT', apiAddress.member(group, person), { value: { role } })).value);
}

/** Takes somebody out of a group. */
export async function removeMember(group: string, person: string): Promise<void> {
  await ask('DELETE', apiAddress.member(group, person));
}

/** Deletes a group; its routines become those of this device's person. */
export async function removeGroup(id: string): Promise<void> {
  await ask('DELETE', apiAddress.group(id));
}

/** Moves a routine, with all that belongs to it, into a group; null: it becomes this person's own. */
export async function moveRoutine(id: string, space: string | null): Promise<void> {
  await ask('POST', apiAddress.routineSpace(id), { value: { space } });
}
