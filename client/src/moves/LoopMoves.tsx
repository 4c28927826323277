// One press each loops a move, it and the next one, or its eight; another press ends the loop.

import type { PartCounts } from '../audio/playedCounts';
import { changeLoop } from '../parts/changeLoop';
import { clearSection, loopStateOf } from '../parts/section';
import { useFromLibrary, useServices } from '../services/services';
import type { Move } from '../sync/records';
import { Icon } from '../ui/Icon';
import { words } from '../words/words';
import { loopAtMove, type MoveLoop } from './actions';
import { isLaid } from './laying';
import './loopMoves.css';

/** A row of buttons; nothing for a move without counts. */
export function LoopMoves({ move, counts }: { move: Move; counts: PartCounts }): JSX.Element | null {
  const services = useServices();
  const part = useFromLibrary((library) => library.get('part', move.part));
  const moves = useFromLibrary((library) => library.moves(move.part));
  const at = moves.findIndex(({ id }) => id === move.id);
  if (!part || at < 0 || !isLaid(move)) return null;
  const state = loopStateOf(part, counts.stretch);
  const { loopOne, loopTwo, loopEight, shortOne, shortTwo, shortEight } = words.moves;
  const button = (which: MoveLoop, label: string, short: string): JSX.Element => {
    const loop = loopAtMove(counts, which, moves, at);
    const isOn = loop !== null && state.loopMode === 'section' && loop.markerA === state.markerA && loop.markerB === state.markerB;
    return (
      <button
        type="button" className="button button-plain button-small" aria-pressed={isOn} aria-label={label} title={label}
        data-testid={`loop-now-${which}`}
        onClick={() => {
          if (loop) changeLoop(services, part, counts.stretch, isOn ? clearSection(state) : loop);
        }}
      >
        <span>{short}</span>
      </button>
    );
  };
  return (
    <div className="loop-moves" role="group" aria-label={words.player.loop}>
      <Icon name="loop" size={20} />
      {button('one', loopOne, shortOne)}
      {at < moves.length - 1 && button('two', loopTwo, shortTwo)}
      {button('eight', loopEight, shortEight)}
    </div>
  );
}
