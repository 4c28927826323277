// Lights the card of the move that is danced, brings it into sight, and runs its counts. It shows nothing itself.

import { useRef, type RefObject } from 'react';
import { usePlayhead } from '../parts/usePlayhead';
import { useServices } from '../services/services';
import type { Move } from '../sync/records';
import { moveAt } from './laying';

interface CurrentMoveProps {
  readonly list: RefObject<HTMLElement>;
  readonly moves: readonly Move[];
  /** Called with the move where playback rests; null while it runs, before its first start, and where there is none. */
  readonly onRest?: (moveId: string | null) => void;
}

/** Marks one of the cards of a list: without rendering, with every frame of the screen. */
export function CurrentMove({ list, moves, onRest }: CurrentMoveProps): null {
  const { player, counts } = useServices();
  /** A card, or the blocks of a timeline. */
  const lit = useRef<readonly HTMLElement[]>([]);
  /** The frame at which it was first shown. */
  const opened = useRef<number | null>(null);
  const light = (cards: readonly HTMLElement[]): void => {
    if (cards.length === lit.current.length && cards.every((card, at) => card === lit.current[at])) return;
    for (const card of lit.current) card.removeAttribute('aria-current');
    for (const card of cards) card.setAttribute('aria-current', 'true');
    lit.current = cards;
    if (player.snapshot.state === 'playing') cards[0]?.scrollIntoView({ block: 'nearest' });
  };
  usePlayhead((frame) => {
    const count = counts.count(frame);
    const move = count === null ? undefined : moves[moveAt(moves, count)];
    // Where the page opens nobody has come to rest yet, and no card grows while it loads.
    opened.current ??= frame;
    const isAtRest = !player.snapshot.wantsToPlay && (player.snapshot.state !== 'ready' || frame !== opened.current);
    onRest?.(isAtRest ? move?.id ?? null : null);
    light(move ? [...list.current?.querySelectorAll<HTMLElement>(`[data-id="${CSS.escape(move.id)}"]`) ?? []] : []);
    const run = lit.current[0]?.querySelector('.move-run');
    const number = count === null || !move ? '' : String(Math.floor(count - (move.startCount ?? 0)) + 1);
    if (run && run.textContent !== number) run.textContent = number;
  });
  return null;
}
