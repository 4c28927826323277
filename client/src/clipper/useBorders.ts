// Borders and selection during a drag: shown at once, written on release.

import { useEffect, useRef, useState } from 'react';
import { useServices } from '../services/services';
import { remember, remembered } from '../ui/device';
import { pieceOfClip, pieceOfPart } from './actions';
import {
  bordersOf, borderWith, frameOfEdges, moveEdges, withChanged, type Border, type Edge, type Piece,
} from './model/pieces';
import { selectionBetween, withEnd, type Selection } from './model/selection';
import type { DragHint } from './stage/types';
import type { Snapper } from './useSnapping';

/** The current drag: the dragged edges, where they were grabbed, and where the pointer is. */
interface Held {
  readonly edges: readonly Edge[];
  readonly from: number | null;
  readonly frame: number;
  readonly raw: number;
  readonly hint: DragHint;
}

/** Borders, selection and the piece that is adjusted. */
export interface Borders {
  /** As shown, with dragged edges at the pointer's position. */
  readonly pieces: readonly Piece[];
  readonly borders: readonly Border[];
  /** The piece whose borders are the selection's handles. */
  readonly adjusted: Piece | null;
  readonly selection: Selection | null;
  adjust(id: string | null): void;
  select(selection: Selection | null): void;
  /** Moves one end of the selection, or of the adjusted piece, to exactly a frame. */
  setEnd(which: 'start' | 'end', frame: number): void;
  /** Returns the border at an end of the adjusted piece; null if there is none. */
  endOf(which: 'start' | 'end'): Border | null;
  drag(id: string, frame: number, hint: DragHint): void;
  dragSelection(which: 'new' | 'start' | 'end', frame: number, anchor: number, hint: DragHint): void;
  /**
   * Ends the drag: the result is written, and written again if it snaps to samples that are loaded
   * later.
   */
  drop(): void;
}

/**
 * Whether edges are still where they were grabbed. Their piece may be deleted or cut during the
 * drag; the drag is cancelled then.
 */
function isThere(pieces: readonly Piece[], { edges, from }: Pick<Held, 'edges' | 'from'>): boolean {
  return from !== null && frameOfEdges(pieces, edges) === from;
}

/** Reads this device's stored selection for a track. */
function rememberedSelection(trackId: string, lengthFrames: number): Selection | null {
  const [startFrame, endFrame] = (remembered(`selection.${trackId}`) ?? '').split('-').map(Number);
  if (startFrame === undefined || endFrame === undefined) return null;
  return startFrame >= 0 && startFrame < endFrame && endFrame <= lengthFrames ? { startFrame, endFrame } : null;
}

/** Keeps them for one track. With `isAlone`, touching pieces do not share a border. */
export function useBorders(
  trackId: string, lengthFrames: number, stored: readonly Piece[], type: 'clip' | 'part',
  snapper: Snapper, isAlone: boolean, first: string | null,
): Borders {
  const { library } = useServices();
  const [grabbed, setGrabbed] = useState<Held | null>(null);
  /** The current drag, before it is rendered. */
  const latest = useRef<Held | null>(null);
  const [adjustedId, setAdjusted] = useState<string | null>(first);
  const [free, showFree] = useState(() => rememberedSelection(trackId, lengthFrames));
  /**
   * Counts changes of the selection, since the snapper's final result may arrive for an outdated
   * one.
   */
  const changes = useRef(0);
  const setFree: typeof showFree = (next) => {
    changes.current += 1;
    showFree(next);
  };
  /** The raw end of a dragged selection, for the snapper's final result. */
  const freeDrag = useRef<{ which: 'new' | 'start' | 'end'; raw: number; anchor: number; hint: DragHint } | null>(null);
  useEffect(() => {
    remember(`selection.${trackId}`, free ? `${free.startFrame}-${free.endFrame}` : '');
  }, [trackId, free]);

  const held = grabbed && isThere(stored, grabbed) ? grabbed : null;
  const pieces = held === null
    ? stored
    : withChanged(stored, moveEdges(stored, lengthFrames, held.edges, held.frame));
  const adjusted = pieces.find((piece) => piece.id === adjustedId) ?? null;
  const selection = adjusted ?? free;

  /** The pieces as the library has them: two borders may wait to be written. */
  const present = (): readonly Piece[] => stored.flatMap(({ id }) => {
    if (type === 'part') {
      const part = library.get('part', id);
      return part ? [pieceOfPart(part, lengthFrames)] : [];
    }
    const clip = library.get('clip', id);
    return clip ? [pieceOfClip(clip)] : [];
  });
  const write = (edges: readonly Edge[], frame: number): void => {
    library.transact(() => {
      for (const { id, startFrame, endFrame } of moveEdges(present(), lengthFrames, edges, frame)) {
        library.edit(type, id, { startFrame, endFrame });
      }
    });
  };
  const holdEdges = (edges: readonly Edge[], raw: number, hint: DragHint): void => {
    const from = latest.current ? latest.current.from : frameOfEdges(present(), edges);
    latest.current = { edges, from, raw, hint, frame: snapper.snap(raw, hint) };
    setGrabbed(latest.current);
  };
  const moved = (which: 'new' | 'start' | 'end', raw: number, anchor: number, hint: DragHint): void => {
    const frame = snapper.snap(raw, hint);
    setFree((before) => (
      which === 'new' || before === null
        ? selectionBetween(which === 'new' ? snapper.snap(anchor, hint) : anchor, frame, lengthFrames)
        : withEnd(before, which, frame, lengthFrames)
    ));
  };
  const endOf = (which: 'start' | 'end'): Border | null => (
    adjusted && borderWith(stored, lengthFrames, { id: adjusted.id, which }, isAlone)
  );

  return {
    pieces, adjusted, selection, endOf,
    borders: bordersOf(pieces, lengthFrames, held?.edges ?? [], isAlone)
      // The selection's handles are already there.
      .filter(({ edges }) => edges.every(({ id }) => id !== adjustedId)),
    adjust: setAdjusted,
    select(next) {
      setAdjusted(null);
      setFree(next);
    },
    setEnd(which, frame) {
      const end = endOf(which);
      if (end) write(end.edges, frame);
      else setFree(withEnd(free ?? { startFrame: 0, endFrame: lengthFrames }, which, frame, lengthFrames));
    },
    drag(id, frame, hint) {
      const edges = latest.current?.edges
        ?? bordersOf(stored, lengthFrames, [], isAlone).find((border) => border.id === id)?.edges;
      if (edges) holdEdges(edges, frame, hint);
    },
    dragSelection(which, frame, anchor, hint) {
      if (which === 'new') setAdjusted(null);
      const end = which === 'new' ? null : endOf(which);
      if (!end) {
        freeDrag.current = { which, raw: frame, anchor, hint };
        moved(which, frame, anchor, hint);
      } else {
        holdEdges(latest.current?.edges ?? end.edges, frame, hint);
      }
    },
    drop() {
      const border = latest.current;
      const end = freeDrag.current;
      latest.current = null;
      freeDrag.current = null;
      setGrabbed(null);
      if (border) {
        if (!isThere(present(), border)) return;
        const { edges, raw, hint } = border;
        write(edges, snapper.snap(raw, hint));
        const from = frameOfEdges(present(), edges);
        void snapper.missing(raw, hint)?.then(() => {
          const isHeldAgain = latest.current?.from === from;
          if (!isHeldAgain && isThere(present(), { edges, from })) write(edges, snapper.snap(raw, hint));
        });
      } else if (end) {
        const left = changes.current;
        void snapper.missing(end.raw, end.hint)?.then(() => {
          if (changes.current === left) moved(end.which, end.raw, end.anchor, end.hint);
        });
      }
    },
  };
}
