// Where a comment is, and which ones are new to somebody. Pure.

import type { Comment, Move, Part } from '../sync/records';
import type { Space } from '../sync/wire';

/** What is read of the library. */
export interface Records {
  get(type: 'move', id: string): Move | undefined;
  get(type: 'part', id: string): Part | undefined;
  parts(routineId: string): readonly Part[];
  moves(partId: string): readonly Move[];
}

/** A place in a routine that is there. */
export interface CommentPlace {
  readonly part: Part;
  /** Of the part in its routine, from 0. */
  readonly partIndex: number;
  readonly move: Move | null;
  /** Of the move in its part, from 0. */
  readonly moveIndex: number;
  /** The moment, or the beginning of the stretch, on the part's track; null for a move. */
  readonly startFrame: number | null;
  /** The end of the stretch; null for a moment. */
  readonly endFrame: number | null;
}

/** What a comment is about to be on, as the names of its fields say. */
export type CommentTarget = Pick<Comment, 'part' | 'move' | 'startFrame' | 'endFrame'>;

/** Returns where a comment is; null if its part or its move is not there. */
export function placeOfComment(library: Records, routine: string, target: CommentTarget): CommentPlace | null {
  const move = target.move ? library.get('move', target.move) : null;
  const part = move === undefined ? undefined : library.get('part', move?.part ?? target.part ?? '');
  if (move === undefined || part?.routine !== routine) return null;
  return {
    part, move,
    partIndex: library.parts(routine).findIndex(({ id }) => id === part.id),
    moveIndex: move ? library.moves(part.id).findIndex(({ id }) => id === move.id) : -1,
    startFrame: move ? null : target.startFrame ?? null,
    endFrame: move ? null : target.endFrame ?? null,
  };
}

/** Whether a person wrote a comment. Of one that was written here and is not sent yet, the author is not known. */
export const isBy = (person: string, { author }: Comment): boolean => (author ?? person) === person;

/** The ids of the people whom a comment mentions. */
export const mentionsOf = ({ mentions }: Pick<Comment, 'mentions'>): readonly string[] => (
  (mentions ?? '').split('\n').filter((id) => id !== '').slice(0, mostMentions)
);

/** The most people whom a comment mentions. */
export const mostMentions = 20;

/** Returns the number up to which somebody has seen the comments of a routine: nothing is new that was there when they joined. */
export const seenUntil = (seen: number | null | undefined, space: Space | undefined): number => Math.max(seen ?? 0, space?.since ?? 0);

/** Returns the comments of others that came in after a number; those that mention the person first, then the earlier ones. */
export function newComments(comments: readonly Comment[], person: string, seen: number): readonly Comment[] {
  const isMention = (comment: Comment): number => Number(mentionsOf(comment).includes(person));
  return comments
    .filter((comment) => !isBy(person, comment) && (comment.arrived ?? 0) > seen)
    .sort((a, b) => isMention(b) - isMention(a) || (a.arrived ?? 0) - (b.arrived ?? 0));
}

/** Returns the highest number with which one of the comments came in. */
export const latestOf = (comments: readonly Comment[]): number => comments.reduce((most, { arrived }) => Math.max(most, arrived ?? 0), 0);

/** Returns comments in the order of their places in the routine, at one place by their age. */
export function byPlace<C extends { readonly comment: Comment; readonly place: CommentPlace }>(placed: readonly C[]): readonly C[] {
  // A move is below the part's own line of time, so it comes after its moments.
  const key = ({ place, comment }: C): readonly number[] => [place.partIndex, place.moveIndex, place.startFrame ?? -1, comment.createdAt];
  return [...placed].sort((a, b) => {
    const [first, second] = [key(a), key(b)];
    const at = first.findIndex((value, index) => value !== second[index]);
    return at < 0 ? 0 : (first[at] ?? 0) - (second[at] ?? 0);
  });
}

/** Returns the comments that are on the track of a part within its borders, by their beginnings. */
export function onTrack(
  comments: readonly Comment[], partId: string, { startFrame, endFrame }: { readonly startFrame: number; readonly endFrame: number },
): readonly (Comment & { readonly startFrame: number })[] {
  return comments
    .filter((comment): comment is Comment & { readonly startFrame: number } => (
      !comment.move && comment.part === partId && comment.startFrame != null
      && comment.startFrame < endFrame && (comment.endFrame ?? comment.startFrame + 1) > startFrame))
    .sort((a, b) => a.startFrame - b.startFrame || a.createdAt - b.createdAt);
}

/** How long a comment on a moment is shown from there on, in frames: three seconds. */
export const shownFrames = 144_000;

/** Returns those of such comments that are shown while a frame is heard: within their stretch, or shortly after their moment. */
export const shownAt = <C extends Comment & { readonly startFrame: number }>(comments: readonly C[], frame: number): readonly C[] => (
  comments.filter(({ startFrame, endFrame }) => frame >= startFrame && frame < (endFrame ?? startFrame + shownFrames))
);
