// One move, to be read.

import { memo, useState } from 'react';
import { useFromLibrary } from '../app/services';
import type { Move } from '../sync/records';
import './moves.css';

interface MoveCardProps {
  readonly move: Move;
  readonly number: number;
  /** Number, title and colour only. */
  readonly isBrief: boolean;
}

/** A card with number, title, type and notes. */
export const MoveCard = memo(({ move, number, isBrief }: MoveCardProps): JSX.Element => {
  const type = useFromLibrary((library) => (
    move.moveType ? library.get('moveType', move.moveType) : undefined
  ));
  const [isNamed, setNamed] = useState(false);
  const colour = type?.colour ?? null;
  return (
    <li className="move" data-testid="move-card" style={colour ? { borderInlineStartColor: colour } : undefined}>
      <span className="move-number time" aria-hidden="true">{number}</span>
      <div className="move-text">
        <h3 dir="auto">{move.title}</h3>
        {!isBrief && move.notes && <p dir="auto">{move.notes}</p>}
      </div>
      {type && isBrief && <span className="only-spoken">{type.name}</span>}
      {type && !isBrief && (
        <button
          type="button" className="move-type" aria-expanded={isNamed} aria-label={`Type: ${type.name}`}
          data-testid="move-type" onClick={() => setNamed(!isNamed)}
        >
          <i style={colour ? { backgroundColor: colour } : undefined} />
          <span dir="auto">{isNamed ? type.name : type.abbreviation || type.name.slice(0, 2)}</span>
        </button>
      )}
    </li>
  );
});
MoveCard.displayName = 'MoveCard';
