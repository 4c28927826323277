// The moves of a part in columns, to memorize: number, title, counts and the colour of the type; read-only.

import { useLayoutEffect, useRef, useState } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import type { Move } from '../sync/records';
import type { Layout } from '../ui/layout';
import { WeakMark } from '../parts/WeakMark';
import { words } from '../words/words';
import { seekToMove } from './actions';
import { CurrentMove } from './CurrentMove';
import { endOf } from './laying';
import type { MoveListProps } from './MoveList';
import { MoveTime, type MoveTimeProps } from './MoveTime';
import { useMoveCounts } from './useMoveCounts';

/** The overview. */
export function MoveOverview({ part, moves, isShown, overview }: MoveListProps & { overview: Layout }): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const cut = useCutTitles(list, moves);
  const counts = useMoveCounts(part);
  return (
    <>
      <ol
        className={`moves moves-${overview}`} ref={list} data-testid="moves" data-layout={overview}
        aria-label={words.moves.moves}
      >
        {moves.map((move, at) => (
          <MoveGlance
            key={move.id} move={move} number={at + 1} isCut={cut.has(move.id)} end={endOf(moves, at)} counts={counts}
          />
        ))}
      </ol>
      {isShown && counts && <CurrentMove list={list} moves={moves} />}
    </>
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

function MoveGlance({ move, number, isCut, end, counts }: MoveTimeProps & { number: number; isCut: boolean }): JSX.Element {
  const services = useServices();
  const type = useFromLibrary((library) => (
    move.moveType ? library.get('moveType', move.moveType) : undefined
  ));
  const [isOpen, setOpen] = useState(false);
  return (
    <li
      className="move glance" data-testid="move-card" data-id={move.id}
      style={type?.colour ? { borderInlineStartColor: type.colour } : undefined}
      onClick={(event) => {
        if (!(event.target as Element).closest('button')) seekToMove(services, move);
      }}
    >
      <span className="glance-rank time" aria-hidden="true">{number}</span>
      <h3 dir="auto" data-move={move.id} data-open={isOpen ? '' : undefined}>{move.title}</h3>
      {type && <span className="only-spoken">{type.name}</span>}
      <WeakMark id={move.id} />
      <MoveTime move={move} end={end} counts={counts} />
      {isCut && (
        <button
          type="button" className="glance-open" aria-expanded={isOpen} aria-label={words.moves.wholeTitle(move.title)}
          data-testid="glance-open" onClick={() => setOpen(!isOpen)}
        />
      )}
    </li>
  );
}
