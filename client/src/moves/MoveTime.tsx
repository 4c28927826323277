// Where a move lies in its part: its eight and counts. A press plays from there.

import type { PartCounts } from '../audio/playedCounts';
import { useServices } from '../services/services';
import type { Move } from '../sync/records';
import { words } from '../words/words';
import { seekToMove } from './actions';
import { countsText, finest, isLaid } from './laying';

/** A move, and what its counts are told from. */
export interface MoveTimeProps {
  readonly move: Move;
  /** The count at which it ends, as in `endOf`. */
  readonly end: number | null;
  readonly counts: PartCounts | null;
}

/** Writes where a move lies, as in "Eight 2 · 5–8"; null without counts. */
export function moveTimeText({ move, end, counts }: MoveTimeProps): string | null {
  return counts && isLaid(move) ? placeText(counts, move.startCount, end) : null;
}

/** Writes a count of a part, perhaps with an end; null outside its song. */
export function placeText(counts: PartCounts, start: number, end: number | null): string | null {
  const first = counts.grid.positionAt(start, counts.stretch);
  if (!first) return null;
  const last = end === null ? null : counts.grid.positionAt(Math.max(start, end - finest), counts.stretch);
  const numbers = countsText(first, last);
  return first.eight < 1 ? words.moves.inPickUp(numbers) : words.moves.inEight(first.eight, numbers);
}

/** The button on a card; nothing for a move without counts. While the move is danced, it counts. */
export function MoveTime(props: MoveTimeProps): JSX.Element | null {
  const services = useServices();
  const text = moveTimeText(props);
  const { move, counts } = props;
  // The line keeps its room, so that no card moves when the counts arrive.
  if (!counts && isLaid(move)) return <span className="move-time" aria-hidden="true" />;
  if (text === null) return null;
  return (
    <button
      type="button" className="move-time time" data-testid="move-time" aria-label={words.moves.goTo(move.title, text)}
      onClick={() => seekToMove(services, move)}
    >
      <span>{text}</span>
      <b className="move-run" aria-hidden="true" />
    </button>
  );
}
