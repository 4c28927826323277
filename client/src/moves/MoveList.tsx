// The moves of a part as a list of cards to edit.

import { useCallback, useRef, useState } from 'react';
import { useFromCounts, useServices } from '../services/services';
import type { Move, Part } from '../sync/records';
import { announce } from '../ui/announce';
import { Button } from '../ui/Button';
import { useSortable } from '../ui/useSortable';
import { words } from '../words/words';
import { deleteMove, placeMove } from './actions';
import { CurrentMove } from './CurrentMove';
import { dragDelayMilliseconds, mouseSlopPixels, touchSlopPixels, zoneOf } from './gesture';
import { endOf } from './laying';
import { MoveCard } from './MoveCard';
import './moves.css';
import { useCardPresses } from './useCardPresses';
import { useMoveCounts } from './useMoveCounts';

/**
 * After a long press on a touch screen, at once with a mouse; not on fields, numbers and buttons.
 */
const dragging = {
  handle: '.move',
  delay: dragDelayMilliseconds,
  delayOnTouchOnly: true,
  touchStartThreshold: touchSlopPixels,
  fallbackTolerance: mouseSlopPixels,
  chosenClass: 'is-lifted',
  preventOnFilter: false,
  filter: (event: Event) => zoneOf(event.target as Element) !== 'body',
  onChange: ({ from }: { from: HTMLElement }) => showRanks(from),
};

/** Writes the numbers in the current order of the cards; React renders the same after the drop. */
function showRanks(list: HTMLElement): void {
  const ranks = [...list.querySelectorAll(':scope > :not(.is-dragged) .move-rank')];
  ranks.forEach((rank, at) => {
    if (rank.firstChild) rank.firstChild.nodeValue = String(at + 1);
  });
  const held = list.querySelector('.is-dragged .move-rank');
  if (held) held.textContent = list.querySelector('.is-ghost .move-rank')?.textContent ?? '';
}

/** Moves the focus to a neighbour before a card is removed. */
function focusNeighbour(card: Element | null): void {
  if (!card?.contains(document.activeElement)) return;
  const neighbour = card.nextElementSibling ?? card.previousElementSibling
    ?? document.querySelector('[data-testid=action-add-move]');
  // A closing menu first returns the focus to its button.
  requestAnimationFrame(() => (
    neighbour?.querySelector<HTMLElement>('.move-number') ?? (neighbour as HTMLElement | null)
  )?.focus({ preventScroll: true }));
}

/** The moves of a part. */
export interface MoveListProps {
  readonly part: Part;
  readonly moves: readonly Move[];
  /** Whether it is the part on the screen. */
  readonly isShown: boolean;
}

/** The list with its gestures and keys. */
export function MoveList({ part, moves, isShown }: MoveListProps): JSX.Element {
  const { library, navigation } = useServices();
  const list = useRef<HTMLOListElement>(null);
  const counts = useMoveCounts(part);
  const isRun = useFromCounts((played) => played.isRun);
  /** The move where playback rests. */
  const [resting, setResting] = useState<string | null>(null);

  const place = useCallback((move: Move, to: number): void => {
    const { length } = library.moves(move.part);
    if (to < 0 || to >= length) return;
    placeMove(library, move, to);
    announce(words.moves.nowAt(move.title, to + 1, length));
  }, [library]);
  const step = useCallback((move: Move, by: 1 | -1): void => {
    // By the library's order: the second of two quick presses may come before the first one is
    // rendered.
    place(move, library.moves(move.part).findIndex(({ id }) => id === move.id) + by);
    requestAnimationFrame(() => cardOf(list.current, move.id)?.scrollIntoView({ block: 'nearest' }));
  }, [library, place]);
  const remove = useCallback((move: Move): void => {
    focusNeighbour(cardOf(list.current, move.id));
    deleteMove(library, move);
  }, [library]);

  useSortable(list, moves.map(({ id }) => id), (id, to) => {
    const move = library.get('move', id);
    if (move) place(move, to);
  }, dragging);
  const presses = useCardPresses((card) => {
    const move = moves.find(({ id }) => id === card.dataset['id']);
    if (!move) return;
    navigator.vibrate?.(15);
    remove(move);
  });
  return (
    <>
      <ol className="moves" ref={list} data-testid="moves" data-layout="list" aria-label={words.moves.moves} {...presses}>
        {moves.map((move, at) => (
          <MoveCard
            key={move.id} move={move} number={at + 1} count={moves.length} end={endOf(moves, at)} counts={counts}
            isResting={move.id === resting && isShown && !isRun} onStep={step} onDelete={remove}
          />
        ))}
      </ol>
      {isShown && counts && <CurrentMove list={list} moves={moves} onRest={setResting} />}
      <Button
        kind="quiet" icon="plus" className="move-add" data-testid="add-move-below"
        onClick={() => navigation.open('addMove')}
      >
        {words.moves.addMove}
      </Button>
      {counts && !isRun && (
        <Button kind="quiet" className="move-add" data-testid="tap-moves-open" onClick={() => navigation.open('tapMoves')}>
          {words.moves.tapMoves}
        </Button>
      )}
    </>
  );
}

function cardOf(list: Element | null, moveId: string): Element | null {
  return list?.querySelector(`[data-id="${CSS.escape(moveId)}"]`) ?? null;
}
