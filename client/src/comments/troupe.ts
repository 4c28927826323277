// Who is who, also without a network: the people and the members of the groups as they were heard of last.

import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { asPerson, fetchGroups, fetchPeople, type Person } from '../people/api';
import { useFromLibrary, useServices } from '../services/services';
import type { LocalLibrary } from '../sync/library';
import { Listeners } from '../sync/listeners';
import { serverOwner } from '../sync/replica';
import { remember, remembered } from '../ui/device';
import { searchFor } from '../ui/search';
import { words } from '../words/words';

/** What a device knows about the people of its person's groups. */
interface Troupe {
  /** Whose device it is: others may know less. */
  readonly of: string;
  readonly people: readonly Person[];
  /** The ids of the members, by the ids of the groups. */
  readonly members: { readonly [group: string]: readonly string[] | undefined };
}

const listeners = new Listeners();
let known: Troupe | null = null;
let asking: Promise<void> | null = null;
let isStale = true;

const personOf = (library: LocalLibrary): string => library.status.person ?? serverOwner;

/** Reads what an earlier page has stored; null if it is another person's, or unreadable. */
function stored(person: string): Troupe | null {
  try {
    const { of, people, members } = JSON.parse(remembered('troupe') ?? '') as Partial<Troupe>;
    if (of !== person || !Array.isArray(people) || typeof members !== 'object') return null;
    return { of, people: people.flatMap((each) => asPerson(each) ?? []), members: members ?? {} };
  } catch {
    return null;
  }
}

async function ask(person: string): Promise<void> {
  const [people, groups] = await Promise.all([fetchPeople(), fetchGroups()]);
  known = { of: person, people, members: Object.fromEntries(groups.map(({ id, members }) => [id, members.map((each) => each.person)])) };
  remember('troupe', JSON.stringify(known));
  isStale = false;
  listeners.tell();
}

/** The state of all callers; asks the server when it is not known or has changed. */
function useTroupe(): Troupe | null {
  const { library } = useServices();
  const person = useFromLibrary(personOf);
  const isOnline = useFromLibrary((current) => current.status.online);
  const troupe = useSyncExternalStore(listeners.add, () => known);
  useEffect(() => {
    if (known?.of !== person) {
      known = stored(person);
      isStale = true;
      listeners.tell();
    }
    const refresh = (): void => {
      if (!isStale || asking || !library.status.online) return;
      // Without a network the names of before are shown.
      asking = ask(person).catch(() => undefined).finally(() => { asking = null; });
    };
    refresh();
    return library.onServerMessage(({ type }) => {
      if (type !== 'people') return;
      isStale = true;
      refresh();
    });
  }, [library, person, isOnline]);
  return troupe?.of === person ? troupe : null;
}

/** Somebody as comments show them. */
export interface Shown extends Person {
  /** Whether it is this device's person. */
  readonly isMe: boolean;
}

/** What comments need to know about people. */
export interface People {
  /** The id of this device's person. */
  readonly me: string;
  /** Returns who wrote something; null while that is not known. Without an author it is this device's person. */
  author(id: string | null | undefined): Shown | null;
  /** Everybody who may be named in a group, with their names as they are shown. */
  readonly members: readonly Shown[];
}

/** Returns the people of a group. */
export function usePeopleOf(space: string | undefined): People {
  const troupe = useTroupe();
  const me = useFromLibrary(personOf);
  return useMemo(() => {
    if (made?.troupe !== troupe || made.me !== me) made = { troupe, me, byId: shownById(troupe, me), bySpace: new Map() };
    const { bySpace, byId } = made;
    const people = bySpace.get(space ?? '') ?? peopleOf(troupe, me, byId, space);
    bySpace.set(space ?? '', people);
    return people;
  }, [troupe, me, space]);
}

/** What was made of the troupe last: every comment of a page needs it, and there may be thousands of people. */
let made: {
  readonly troupe: Troupe | null;
  readonly me: string;
  readonly byId: ReadonlyMap<string, Shown>;
  readonly bySpace: Map<string, People>;
} | null = null;

function shownById(troupe: Troupe | null, me: string): ReadonlyMap<string, Shown> {
  const nameOf = ({ id, name }: Person): string => name || (id === serverOwner ? words.people.owner : '');
  return new Map((troupe?.people ?? []).map((each) => [each.id, { ...each, name: nameOf(each), isMe: each.id === me }]));
}

function peopleOf(troupe: Troupe | null, me: string, byId: ReadonlyMap<string, Shown>, space: string | undefined): People {
  const ids = troupe?.members[space ?? ''] ?? [];
  return {
    me,
    author: (id) => {
      const found = byId.get(id ?? me);
      if (found || troupe === null) return found ?? null;
      return { id: id ?? me, name: '', colour: '', isMe: (id ?? me) === me };
    },
    members: searchFor(ids.flatMap((id) => byId.get(id) ?? []), '', ({ name }) => name, () => ''),
  };
}
