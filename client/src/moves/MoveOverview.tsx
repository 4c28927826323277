// The moves of a part in columns, to memorize: number, title and the colour of the type; read-only.

import { useLayoutEffect, useRef, useState } from 'react';
import { useFromLibrary } from '../services/services';
import type { Move } from '../sync/records';
import type { Layout } from '../ui/layout';
import { words } from '../words/words';

/** The overview. */
export function MoveOverview({ moves, overview }: { moves: readonly Move[]; overview: Layout }): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const cut = useCutTitles(list, moves);
  return (
    <ol
      className={`moves moves-${overview}`} ref={list} data-testid="moves" data-layout={overview}
      aria-label={words.moves.moves}
    >
      {moves.map((move, at) => <MoveGlance key={move.id} move={move} number={at + 1} isCut={cut.has(move.id)} />)}
    </ol>
  );
}

/** Finds the moves whose titles need more than two lines; again when the width changes. */
function useCutTitles(list: React.RefObject<HTMLElement>, moves: readonly Move[]): ReadonlySet<string> {
  const [cut, setCut] = useState<ReadonlySet<string>>(new Set());
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const measure = (): void => setCut((before) => {
      const titles = [...element.querySelectorAll<HTMLElement>('h3[data-move]')];
      // An open title is whole, and can be closed again.
      const now = titles.filter((title) => title.dataset['open'] !== undefined || title.scrollHeight > title.clientHeight + 1)
        .map((title) => title.dataset['move'] ?? '');
      return now.length === before.size && now.every((id) => before.has(id)) ? before : new Set(now);
    });
    const size = new ResizeObserver(measure);
    size.observe(element);
    measure();
    return () => size.disconnect();
  }, [list, moves]);
  return cut;
}

function MoveGlance({ move, number, isCut }: { move: Move; number: number; isCut: boolean }): JSX.Element {
  const type = useFromLibrary((library) => (
    move.moveType ? library.get('moveType', move.moveType) : undefined
  ));
  const [isOpen, setOpen] = useState(false);
  return (
    <li
      className="move glance" data-testid="move-card"
      style={type?.colour ? { borderInlineStartColor: type.colour } : undefined}
    >
      <span className="glance-rank time" aria-hidden="true">{number}</span>
      <h3 dir="auto" data-move={move.id} data-open={isOpen ? '' : undefined}>{move.title}</h3>
      {type && <span className="only-spoken">{type.name}</span>}
      {isCut && (
        <button
          type="button" className="glance-open" aria-expanded={isOpen} aria-label={words.moves.wholeTitle(move.title)}
          data-testid="glance-open" onClick={() => setOpen(!isOpen)}
        />
      )}
    </li>
  );
}
