// The moves of a part as a list to practise by, where nobody may edit them: number, title, type, counts and notes.

import { useRef, useState } from 'react';
import { moveComments } from '../comments/lazy';
import { useCompany } from '../comments/useCompany';
import { useFromCounts, useFromLibrary, useServices } from '../services/services';
import { WeakMark } from '../parts/WeakMark';
import type { Move } from '../sync/records';
import { shortName } from '../ui/moveTypes';
import { words } from '../words/words';
import { seekToMove } from './actions';
import { CurrentMove } from './CurrentMove';
import { endOf } from './laying';
import { LoopMoves } from './LoopMoves';
import type { MoveListProps } from './MoveList';
import { MoveTime, type MoveTimeProps } from './MoveTime';
import { MoveVoice } from './MoveVoice';
import { useMoveCounts } from './useMoveCounts';

/** The list. */
export function ReadMoves({ part, moves, isShown }: MoveListProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const counts = useMoveCounts(part);
  const isRun = useFromCounts((played) => played.isRun);
  const hasCompany = useCompany(part.routine);
  /** The move where playback rests. */
  const [resting, setResting] = useState<string | null>(null);
  return (
    <>
      <ol className="moves" ref={list} data-testid="moves" data-layout="read" aria-label={words.moves.moves}>
        {moves.map((move, at) => (
          <ReadMove
            key={move.id} move={move} routineId={hasCompany ? part.routine : null} number={at + 1} end={endOf(moves, at)} counts={counts}
            isResting={move.id === resting && isShown && !isRun}
          />
        ))}
      </ol>
      {isShown && counts && <CurrentMove list={list} moves={moves} onRest={setResting} />}
    </>
  );
}

interface ReadMoveProps extends MoveTimeProps {
  readonly move: Move;
  /** The routine, if others read it. */
  readonly routineId: string | null;
  readonly number: number;
  readonly isResting: boolean;
}

function ReadMove({ move, routineId, number, end, counts, isResting }: ReadMoveProps): JSX.Element {
  const services = useServices();
  const type = useFromLibrary((library) => (move.moveType ? library.get('moveType', move.moveType) : undefined));
  const colour = type?.colour ?? undefined;
  return (
    <li
      className="move is-read" data-testid="move-card" data-id={move.id}
      style={colour ? { borderInlineStartColor: colour } : undefined}
      onClick={(event) => {
        if (!(event.target as Element).closest('button, dialog, [role=menu], .move-read-notes, .comment-list')) seekToMove(services, move);
      }}
    >
      <span className="glance-rank time" aria-hidden="true">{number}</span>
      <div className="move-text">
        <h3 dir="auto" data-testid="move-title">{move.title}</h3>
        <MoveTime move={move} end={end} counts={counts} />
        <MoveVoice move={move} />
      </div>
      {type && (
        <span className="move-type" title={type.name}>
          <i style={{ backgroundColor: colour }} />
          <span className="only-spoken">{words.moves.type(type.name)}</span>
          <span dir="auto" aria-hidden="true">{shortName(type)}</span>
        </span>
      )}
      {move.notes && <p className="move-read-notes" dir="auto" data-testid="move-notes">{move.notes}</p>}
      {routineId !== null && <moveComments.Page move={move} routineId={routineId} isAlways />}
      <WeakMark id={move.id} />
      {isResting && counts && <LoopMoves move={move} counts={counts} />}
    </li>
  );
}
