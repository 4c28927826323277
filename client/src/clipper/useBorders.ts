// Borders and selection while they are dragged: shown at once, written once the hand lets go.

import { useEffect, useRef, useState } from 'react';
import { useServices } from '../app/services';
import { remember, remembered } from '../ui/device';
import { pieceOfClip, pieceOfPart } from './deeds';
import {
  bordersOf, edgesWith, moveEdges, withChanged, type Border, type Edge, type Piece,
} from './model/pieces';
import { selectionBetween, withEnd, type Selection } from './model/selection';
import type { DragHint } from './stage/types';
import type { Snapper } from './useSnapping';

/** What lies under the hand: some edges on their way, and where the hand is. */
interface Held {
  readonly edges: readonly Edge[];
  readonly frame: number;
  readonly raw: number;
  readonly hint: DragHint;
}

/** Borders, selection and the piece that is adjusted. */
export interface Borders {
  /** As they are shown, with what is dragged where the hand is. */
  readonly pieces: readonly Piece[];
  readonly borders: readonly Border[];
  /** The piece whose borders the selection's handles are. */
  readonly adjusted: Piece | null;
  readonly selection: Selection | null;
  adjust(id: string | null): void;
  select(selection: Selection | null): void;
  /** Moves one end of the selection, or of the piece that is adjusted, to exactly a frame. */
  setEnd(which: 'start' | 'end', frame: number): void;
  drag(id: string, frame: number, hint: DragHint): void;
  dragSelection(which: 'new' | 'start' | 'end', frame: number, anchor: number, hint: DragHint): void;
  /** The hand lets go: what was dragged is written. */
  drop(): void;
}

/** How long a dropped border waits for what it snaps to; then it is written where the hand left it. */
const longestWaitMilliseconds = 2_000;

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, longestWaitMilliseconds));
}

/** Reads the selection that this device remembers for a track. */
function rememberedSelection(trackId: string, lengthFrames: number): Selection | null {
  const [startFrame, endFrame] = (remembered(`selection.${trackId}`) ?? '').split('-').map(Number);
  if (startFrame === undefined || endFrame === undefined) return null;
  return startFrame >= 0 && startFrame < endFrame && endFrame <= lengthFrames ? { startFrame, endFrame } : null;
}

/** Keeps them for one track. With `isAlone`, touching pieces don't share a border. */
export function useBorders(
  trackId: string, lengthFrames: number, stored: readonly Piece[], type: 'clip' | 'part',
  snapper: Snapper, isAlone: boolean, first: string | null,
): Borders {
  const { library } = useServices();
  const [held, setHeld] = useState<Held | null>(null);
  /** What the hand holds; `held` is shown for a little longer, until it is written. */
  const latest = useRef<Held | null>(null);
  const [adjustedId, setAdjusted] = useState<string | null>(first);
  const [free, setFree] = useState(() => rememberedSelection(trackId, lengthFrames));
  /** The raw end of a selection that is dragged, for the last word of the snapper. */
  const freeDrag = useRef<{ which: 'new' | 'start' | 'end'; raw: number; anchor: number; hint: DragHint } | null>(null);
  useEffect(() => {
    remember(`selection.${trackId}`, free ? `${free.startFrame}-${free.endFrame}` : '');
  }, [trackId, free]);

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
    latest.current = { edges, raw, hint, frame: snapper.snap(raw, hint) };
    setHeld(latest.current);
  };
  const moved = (which: 'new' | 'start' | 'end', raw: number, anchor: number, hint: DragHint): void => {
    const frame = snapper.snap(raw, hint);
    setFree((before) => (
      which === 'new' || before === null
        ? selectionBetween(which === 'new' ? snapper.snap(anchor, hint) : anchor, frame, lengthFrames)
        : withEnd(before, which, frame, lengthFrames)
    ));
  };

  return {
    pieces, adjusted, selection,
    borders: bordersOf(pieces, lengthFrames, held?.edges ?? [], isAlone)
      // The handles of the selection stand there already.
      .filter(({ edges }) => edges.every(({ id }) => id !== adjustedId)),
    adjust: setAdjusted,
    select(next) {
      setAdjusted(null);
      setFree(next);
    },
    setEnd(which, frame) {
      if (adjusted) write(edgesWith(stored, { id: adjusted.id, which }, isAlone), frame);
      else setFree(withEnd(free ?? { startFrame: 0, endFrame: lengthFrames }, which, frame, lengthFrames));
    },
    drag(id, frame, hint) {
      const edges = latest.current?.edges
        ?? bordersOf(stored, lengthFrames, [], isAlone).find((border) => border.id === id)?.edges;
      if (edges) holdEdges(edges, frame, hint);
    },
    dragSelection(which, frame, anchor, hint) {
      if (which === 'new') setAdjusted(null);
      if (which === 'new' || !adjusted) {
        freeDrag.current = { which, raw: frame, anchor, hint };
        moved(which, frame, anchor, hint);
      } else {
        const edges = latest.current?.edges ?? edgesWith(stored, { id: adjusted.id, which }, isAlone);
        holdEdges(edges, frame, hint);
      }
    },
    drop() {
      const border = latest.current;
      const end = freeDrag.current;
      latest.current = null;
      freeDrag.current = null;
      if (border) {
        const finish = (): void => {
          write(border.edges, snapper.snap(border.raw, border.hint));
          setHeld((now) => (now === border ? null : now));
        };
        const waiting = snapper.missing(border.raw, border.hint);
        if (waiting) void Promise.race([waiting, soon()]).then(finish);
        else finish();
      } else if (end) {
        void snapper.missing(end.raw, end.hint)?.then(() => moved(end.which, end.raw, end.anchor, end.hint));
      }
    },
  };
}
