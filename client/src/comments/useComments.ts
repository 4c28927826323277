// The comments of a routine that have a place in it.

import { useMemo } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import type { Comment } from '../sync/records';
import { newComments, placeOfComment, seenUntil, type CommentPlace } from './places';
import { usePeopleOf, type People } from './troupe';

/** A comment and where it is. */
export interface Placed {
  readonly comment: Comment;
  readonly place: CommentPlace;
}

/** What a routine's page knows of its comments. */
export interface RoutineComments {
  readonly people: People;
  /** The oldest first. */
  readonly placed: readonly Placed[];
  /** Up to which number this device's person has seen them. */
  readonly seen: number;
  /** Those that are new to this device's person; mentions first. */
  readonly news: readonly Comment[];
}

/** Returns them; nothing is there whose part or move is gone. */
export function useComments(routineId: string): RoutineComments {
  const { library } = useServices();
  const routine = useFromLibrary((current) => current.get('routine', routineId));
  const comments = useFromLibrary((current) => current.comments(routineId));
  const spaces = useFromLibrary((current) => current.spaces);
  const people = usePeopleOf(routine?.space);
  // The places depend on parts and moves, too.
  const parts = useFromLibrary((current) => current.all('part'));
  const moves = useFromLibrary((current) => current.all('move'));
  const placed = useMemo(() => comments.flatMap((comment) => {
    const place = placeOfComment(library, routineId, comment);
    return place ? [{ comment, place }] : [];
  }), [library, routineId, comments, parts, moves]);
  const seen = seenUntil(routine?.commentsSeen, spaces.find(({ id }) => id === routine?.space));
  const news = useMemo(() => newComments(placed.map(({ comment }) => comment), people.me, seen), [placed, people.me, seen]);
  return { people, placed, seen, news };
}
