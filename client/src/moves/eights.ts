// The rows of a part's eights, and where moves lie in them. Positions come from Sources/Counts; here they are laid out.

import type { PartCounts } from '../audio/playedCounts';
import { endOf, finest, isLaid, type LaidMove } from './laying';

/** One eight, or the pick-up before the first. */
export interface EightRow {
  readonly eight: number;
  /** Its first count in the part: counts after the first 1. */
  readonly start: number;
  /** What is before it in the row: the counts of its eight that are not in the part. */
  readonly indent: number;
  /** How many counts of the part it has. */
  readonly length: number;
}

/** A move's share of a row, in counts of the part. */
export interface Segment {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** A part of more counts shows only the first ones. */
const mostCounts = 8_000;

/** Returns the rows of a part. A count belongs to the part that its middle lies in, as on the eight-count sheet. */
export function rowsOf({ grid, stretch }: PartCounts): EightRow[] {
  const isIn = (count: number): boolean => {
    const middle = grid.frameAt(count + 0.5, stretch);
    return middle !== null && middle > stretch.startFrame && middle <= stretch.endFrame;
  };
  let first = 0;
  while (first > -mostCounts && isIn(first - 1) && grid.positionAt(first - 1, stretch)) first -= 1;
  const rows: EightRow[] = [];
  for (let at = first; at < first + mostCounts; at += 1) {
    const place = grid.positionAt(at, stretch);
    if (place === null || !isIn(at)) break;
    const row = rows[rows.length - 1];
    if (row?.eight === place.eight) rows[rows.length - 1] = { ...row, length: row.length + 1 };
    else rows.push({ eight: place.eight, start: at, indent: place.count - 1, length: 1 });
  }
  return rows;
}

/** Returns what lies in a row, one segment for each move that has a part of it. */
export function segmentsOf(moves: readonly LaidMove[], row: EightRow, end: number): Segment[] {
  return moves.flatMap((move, at) => {
    if (!isLaid(move)) return [];
    const last = endOf(moves, at) ?? end;
    const from = Math.max(move.startCount, row.start);
    const to = Math.min(last, row.start + row.length);
    return from < to
      ? [{ at, start: from, end: to, isFirst: from === move.startCount, isLast: to === last }] : [];
  });
}

/** Whether a count is in a row and no move lies on it. */
export function isFreeAt({ start, length }: EightRow, segments: readonly Segment[], count: number): boolean {
  return start <= count && count < start + length && !segments.some((segment) => segment.start <= count && count < segment.end);
}

/** Returns where a move may begin within a count of a row: on it, or on its & if one ends there; null for neither. */
export function freeCount(row: EightRow, segments: readonly Segment[], count: number): number | null {
  return [count, count + finest].find((start) => isFreeAt(row, segments, start)) ?? null;
}

/** Returns the beginning of a move that is dragged by so many counts: on a whole count, or on its own &. */
export function draggedStart(start: number, by: number, rows: readonly EightRow[]): number {
  const [first] = rows;
  const last = rows[rows.length - 1];
  if (!first || !last) return start;
  const fraction = start - Math.floor(start);
  const wanted = Math.round(start + by - fraction) + fraction;
  return Math.min(last.start + last.length - 1 + fraction, Math.max(first.start + fraction, wanted));
}

/** Returns the length of a move whose end is dragged by so many counts: at least one half. */
export function draggedLength(length: number, by: number): number {
  return Math.max(0.5, Math.round(2 * (length + by)) / 2);
}
