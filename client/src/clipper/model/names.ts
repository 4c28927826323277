// What pieces are called: names are derived while nobody has given one, so that order stays true. Pure.

import { characterCount, limits } from '../../sync/validation';
import { clock } from '../../ui/time';
import { truncateToFit } from '../../ui/text';
import type { Piece } from './pieces';

/** The name that a piece without one is shown by: its place in the list, from 0. */
export function placeName(index: number): string {
  return `Part ${index + 1}`;
}

/** Gives the name that a piece is shown by. */
export function shownName(pieces: readonly Piece[], id: string): string {
  const index = pieces.findIndex((piece) => piece.id === id);
  const title = pieces[index]?.title.trim() ?? '';
  return title === '' ? placeName(Math.max(0, index)) : title;
}

/** Names a clip after its track and times: `Swan 0:31–1:02`. */
export function clipName(trackTitle: string, startFrame: number, endFrame: number): string {
  const times = ` ${clock(startFrame)}–${clock(endFrame)}`;
  return `${truncateToFit(trackTitle, limits.clip.title - characterCount(times)).trim()}${times}`;
}

/**
 * Finds whose name comes next: a piece without one that has begun before the needle, first those
 * after `id` in time, then, from the start, those before it.
 */
export function nextUnnamed(pieces: readonly Piece[], id: string, needle: number): string | null {
  const here = pieces.find((piece) => piece.id === id)?.startFrame ?? 0;
  const open = pieces
    .filter((piece) => piece.id !== id && piece.title.trim() === '' && piece.startFrame <= needle)
    .sort((one, other) => one.startFrame - other.startFrame);
  return (open.find((piece) => piece.startFrame >= here) ?? open[0])?.id ?? null;
}
