// The names of pieces: derived as long as none is given, so that numbers follow the order. Pure.

import { characterCount, limits } from '../../sync/validation';
import { clock } from '../../ui/time';
import { truncateToFit } from '../../ui/text';
import { lateWords } from '../../words/lateWords';
import type { Piece } from './pieces';

/** The displayed name of a piece without a title: its number in the list; `index` counts from 0. */
export function placeName(index: number): string {
  return lateWords.clipper.part(index + 1);
}

/** Returns the displayed name of a piece. */
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
 * Returns the next piece to be named: one without a title that begins before the playhead, first
 * those after `id` in time, then, from the start, those before it.
 */
export function nextUnnamed(pieces: readonly Piece[], id: string, needle: number): string | null {
  const here = pieces.find((piece) => piece.id === id)?.startFrame ?? 0;
  const open = pieces
    .filter((piece) => piece.id !== id && piece.title.trim() === '' && piece.startFrame <= needle)
    .sort((one, other) => one.startFrame - other.startFrame);
  return (open.find((piece) => piece.startFrame >= here) ?? open[0])?.id ?? null;
}
