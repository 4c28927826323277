// Ranges of one track in a list: the effect of a cut, their borders, and how borders move. Pure.

import { shortestStretchFrames, type Stretch } from '../../timeline';
import { lateWords } from '../../words/lateWords';

/** A clip, or a part whose borders are edited. */
export interface Piece extends Stretch {
  readonly id: string;
  /** As stored; an empty one is shown as the piece's number in the list. */
  readonly title: string;
}

/** The effect of a cut at a frame. */
export type Cut =
  | { readonly kind: 'split'; readonly id: string; readonly frame: number }
  /**
   * No piece contains the frame: the gap around it becomes two pieces, after the piece `after` in
   * the list.
   */
  | {
    readonly kind: 'gap'; readonly startFrame: number; readonly frame: number; readonly endFrame: number;
    readonly after: string | null;
  }
  | { readonly kind: 'refused'; readonly sentence: string };

const holds = (piece: Piece, frame: number): boolean => piece.startFrame < frame && frame < piece.endFrame;

const lengthOf = (piece: Piece): number => piece.endFrame - piece.startFrame;

/** Decides the effect of a cut: it splits the shortest piece with enough room, or fills a gap. */
export function cutAt(pieces: readonly Piece[], lengthFrames: number, rawFrame: number): Cut {
  const frame = Math.round(rawFrame);
  const around = pieces.filter((piece) => holds(piece, frame));
  const [shortest] = around
    .filter((piece) => isApart(frame, piece.startFrame, piece.endFrame))
    .sort((one, other) => lengthOf(one) - lengthOf(other));
  if (shortest) return { kind: 'split', id: shortest.id, frame };
  if (around.length > 0) return refused(lateWords.clipper.tooClose);

  let startFrame = 0;
  let endFrame = lengthFrames;
  let before: Piece | null = null;
  for (const piece of pieces) {
    if (piece.endFrame <= frame && piece.endFrame >= startFrame) {
      startFrame = piece.endFrame;
      before = piece;
    }
    if (piece.startFrame >= frame) endFrame = Math.min(endFrame, piece.startFrame);
  }
  if (!isApart(frame, startFrame, endFrame)) {
    return refused(
      frame - startFrame < shortestStretchFrames && startFrame === 0
        ? lateWords.clipper.atStart
        : endFrame === lengthFrames && endFrame - frame < shortestStretchFrames
          ? lateWords.clipper.atEnd
          : lateWords.clipper.tooClose,
    );
  }
  return { kind: 'gap', startFrame, frame, endFrame, after: before?.id ?? null };
}

const refused = (sentence: string): Cut => ({ kind: 'refused', sentence });

const isApart = (frame: number, start: number, end: number): boolean => (
  frame - start >= shortestStretchFrames && end - frame >= shortestStretchFrames
);

/** One end of a piece. */
export interface Edge {
  readonly id: string;
  readonly which: 'start' | 'end';
}

/** A draggable border: one edge, or several on the same frame that move together. */
export interface Border {
  /** The name of its first edge: `<piece>-start` or `<piece>-end`. */
  readonly id: string;
  readonly frame: number;
  readonly edges: readonly Edge[];
  /**
   * Its limits: each of its pieces stays at least a tenth of a second long and inside the track.
   */
  readonly minFrame: number;
  readonly maxFrame: number;
}

const nameOf = (edge: Edge): string => `${edge.id}-${edge.which}`;

/**
 * Returns the borders by frame. During a drag, `held` are its edges: they stay a separate border
 * even on the frame of another one. With `alone`, touching pieces do not share a border.
 */
export function bordersOf(
  pieces: readonly Piece[], lengthFrames: number, held: readonly Edge[] = [], alone = false,
): Border[] {
  const heldNames = new Set(held.map(nameOf));
  const groups = new Map<string, Edge[]>();
  for (const piece of pieces) {
    for (const which of ['end', 'start'] as const) {
      const edge = { id: piece.id, which };
      const frame = which === 'start' ? piece.startFrame : piece.endFrame;
      const key = heldNames.has(nameOf(edge)) ? 'held' : alone ? nameOf(edge) : String(frame);
      const group = groups.get(key);
      if (group) group.push(edge);
      else groups.set(key, [edge]);
    }
  }
  return [...groups.values()]
    .map((edges) => borderOf(pieces, lengthFrames, edges))
    .sort((one, other) => one.frame - other.frame);
}

function borderOf(pieces: readonly Piece[], lengthFrames: number, edges: readonly Edge[]): Border {
  let minFrame = 0;
  let maxFrame = lengthFrames;
  let frame = 0;
  for (const edge of edges) {
    const piece = pieces.find((each) => each.id === edge.id);
    if (!piece) continue;
    if (edge.which === 'start') {
      frame = piece.startFrame;
      maxFrame = Math.min(maxFrame, piece.endFrame - shortestStretchFrames);
    } else {
      frame = piece.endFrame;
      minFrame = Math.max(minFrame, piece.startFrame + shortestStretchFrames);
    }
  }
  const [first] = edges;
  return {
    id: first ? nameOf(first) : '', frame, edges,
    // A piece that is already too short (made elsewhere) may stay unchanged.
    minFrame: Math.min(minFrame, frame), maxFrame: Math.max(maxFrame, frame),
  };
}

/** Returns the border of an edge of a piece, with the edges that move with it. */
export function borderWith(
  pieces: readonly Piece[], lengthFrames: number, edge: Edge, alone: boolean,
): Border {
  return bordersOf(pieces, lengthFrames, [], alone).find(
    ({ edges }) => edges.some((each) => nameOf(each) === nameOf(edge)),
  ) ?? borderOf(pieces, lengthFrames, [edge]);
}

/** Returns the common frame of edges; null if a piece is gone, or if they have different frames. */
export function frameOfEdges(pieces: readonly Piece[], edges: readonly Edge[]): number | null {
  const frames = new Set(edges.map(({ id, which }) => (
    pieces.find((piece) => piece.id === id)?.[which === 'start' ? 'startFrame' : 'endFrame'])));
  const [frame] = frames;
  return frames.size === 1 ? frame ?? null : null;
}

/** Moves edges to a frame, within their limits; returns the changed pieces. */
export function moveEdges(
  pieces: readonly Piece[], lengthFrames: number, edges: readonly Edge[], toFrame: number,
): Piece[] {
  const { minFrame, maxFrame } = borderOf(pieces, lengthFrames, edges);
  const frame = clamp(Math.round(toFrame), minFrame, maxFrame);
  const changed = new Map<string, Piece>();
  for (const edge of edges) {
    const piece = changed.get(edge.id) ?? pieces.find((each) => each.id === edge.id);
    if (!piece) continue;
    const field = edge.which === 'start' ? 'startFrame' : 'endFrame';
    if (piece[field] !== frame) changed.set(edge.id, { ...piece, [field]: frame });
  }
  return [...changed.values()];
}

/** Returns the pieces with some of them replaced. */
export function withChanged(pieces: readonly Piece[], changed: readonly Piece[]): readonly Piece[] {
  if (changed.length === 0) return pieces;
  return pieces.map((piece) => changed.find((each) => each.id === piece.id) ?? piece);
}

/** Returns the piece that begins at the end of this one. */
export function neighbourOf(pieces: readonly Piece[], id: string): Piece | null {
  const piece = pieces.find((each) => each.id === id);
  return pieces.find((other) => other.startFrame === piece?.endFrame) ?? null;
}

/** Returns a piece of exactly this range. */
export function twinOf(pieces: readonly Piece[], startFrame: number, endFrame: number): Piece | null {
  return pieces.find((piece) => piece.startFrame === startFrame && piece.endFrame === endFrame) ?? null;
}

/** Returns the shortest piece that contains a frame. */
export function pieceAt(pieces: readonly Piece[], frame: number): Piece | null {
  const [found] = pieces
    .filter((piece) => piece.startFrame <= frame && frame < piece.endFrame)
    .sort((one, other) => lengthOf(one) - lengthOf(other));
  return found ?? null;
}

/** Limits a number to a range. */
export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}
