// One move: number, title, type and notes, all of them edited in place.

import { memo, useId, useState } from 'react';
import { moveComments } from '../comments/lazy';
import { hasCompany } from '../comments/useCompany';
import { useFromLibrary, useServices } from '../services/services';
import type { PartCounts } from '../audio/playedCounts';
import type { Move } from '../sync/records';
import { WeakMark } from '../parts/WeakMark';
import { IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Menu, type MenuItem } from '../ui/Menu';
import { shortName } from '../ui/moveTypes';
import { words } from '../words/words';
import { duplicateMove, loopMoves, seekToMove, type MoveLoop } from './actions';
import { isLaid } from './laying';
import { LoopMoves } from './LoopMoves';
import { MoveNotes } from './MoveNotes';
import { MoveTime } from './MoveTime';
import { MoveTitle } from './MoveTitle';
import { MoveVoice } from './MoveVoice';

interface MoveCardProps {
  readonly move: Move;
  readonly number: number;
  readonly count: number;
  /** The count at which it ends, as in `endOf`. */
  readonly end: number | null;
  readonly counts: PartCounts | null;
  /** Whether playback rests in it, so that it can be looped by one press. */
  readonly isResting: boolean;
  readonly onStep: (move: Move, step: 1 | -1) => void;
  readonly onDelete: (move: Move) => void;
}

/**
 * A card. Its number opens the menu and, on a long press, deletes the move; a long press elsewhere
 * drags it.
 */
export const MoveCard = memo(({ move, number, count, end, counts, isResting, onStep, onDelete }: MoveCardProps): JSX.Element => {
  const services = useServices();
  const { library, navigation, player } = services;
  const type = useFromLibrary((current) => (
    move.moveType ? current.get('moveType', move.moveType) : undefined
  ));
  const [menu, setMenu] = useState<'number' | 'more' | null>(null);
  const [isOpen, setOpen] = useState(false);
  const notesId = useId();
  const colour = type?.colour ?? undefined;
  /** The routine, if others read it. */
  const sharedRoutine = useFromLibrary((current) => {
    const routine = current.get('part', move.part)?.routine;
    return hasCompany(current, routine) ? routine : undefined;
  });

  /** The lines of a song with counts. */
  const countItems = (lay: () => void): MenuItem[] => {
    if (!counts) return [];
    const loop = (which: MoveLoop) => () => {
      const part = library.get('part', move.part);
      const moves = library.moves(move.part);
      if (part) loopMoves({ library, player }, part, counts, which, moves, moves.findIndex(({ id }) => id === move.id));
    };
    // A run has no loop.
    const loops: MenuItem[] = isLaid(move) && !services.counts.isRun ? [
      { label: words.moves.loopOne, icon: 'loop', testId: 'loop-one', run: loop('one') },
      { label: words.moves.loopTwo, icon: 'loop', testId: 'loop-two', isDisabled: number === count, run: loop('two') },
      { label: words.moves.loopEight, icon: 'loop', testId: 'loop-eight', run: loop('eight') },
    ] : [];
    return [{ label: words.moves.lay, icon: 'timer', testId: 'move-lay', run: lay }, ...loops];
  };

  const shownMenu = (): JSX.Element => {
    const isOnlyPart = library.parts(library.get('part', move.part)?.routine ?? '').length < 2;
    const step = (by: 1 | -1) => () => onStep(move, by);
    const open = (overlay: 'moveTo' | 'copyTo' | 'moveCounts' | 'recordName') => () => navigation.open(`${overlay}:${move.id}`);
    return (
      <Menu
        label={move.title} onClose={() => setMenu(null)}
        items={[
          { label: words.common.moveUp, icon: 'up', isDisabled: number === 1, testId: 'move-up', run: step(-1) },
          { label: words.common.moveDown, icon: 'down', isDisabled: number === count, testId: 'move-down', run: step(1) },
          ...countItems(open('moveCounts')),
          ...(sharedRoutine === undefined ? [] : [{
            label: words.moves.comment, icon: 'comment' as const, testId: 'move-comment', run: () => navigation.open(`comment:move:${move.id}`),
          }]),
          { label: words.moves.recordName, icon: 'microphone', testId: 'move-record', run: open('recordName') },
          { label: words.common.duplicate, icon: 'plus', testId: 'move-duplicate', run: () => duplicateMove(library, move) },
          { label: words.moves.moveToPart, icon: 'next', isDisabled: isOnlyPart, testId: 'move-to', run: open('moveTo') },
          { label: words.moves.copyToPart, icon: 'copy', isDisabled: isOnlyPart, testId: 'copy-to', run: open('copyTo') },
          { label: words.common.delete, icon: 'trash', isDangerous: true, testId: 'move-delete', run: () => onDelete(move) },
        ]}
      />
    );
  };

  return (
    <li
      className="move" data-testid="move-card" data-id={move.id}
      style={colour ? { borderInlineStartColor: colour } : undefined}
      onKeyDown={(event) => {
        const target = event.target as Element;
        if (target.closest('input, textarea, dialog, [role=menu]')) return;
        if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
          onStep(move, event.key === 'ArrowUp' ? -1 : 1);
        } else if (event.key === 'Delete' || event.key === 'Backspace') {
          onDelete(move);
        } else return;
        event.preventDefault();
      }}
      onClick={(event) => {
        // A press beside the buttons plays from the move, as a press on its counts does.
        if ((event.target as Element).closest('button, input, textarea, dialog, [role=menu], .move-preview, .move-notes, .comment-list')) return;
        seekToMove(services, move);
      }}
      onContextMenu={(event) => {
        if ((event.target as Element).closest('input, textarea, dialog, [role=menu]')) return;
        event.preventDefault();
        // A long touch on the card lifts it; only a mouse and the keyboard open the menu.
        if ((event.nativeEvent as PointerEvent).pointerType !== 'touch') setMenu('number');
      }}
    >
      <div className="menu-holder">
        <button
          type="button" className="move-number" aria-haspopup="menu" aria-expanded={menu === 'number'}
          aria-label={words.moves.card(number, move.title)}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete" data-testid="move-number"
          onClick={() => setMenu('number')}
        >
          <span className="move-rank time">{number}</span>
        </button>
        {menu === 'number' && shownMenu()}
      </div>
      <div className="move-text">
        <MoveTitle move={move} />
        <MoveTime move={move} end={end} counts={counts} />
        <MoveVoice move={move} />
      </div>
      <button
        type="button" className={type ? 'move-type' : 'move-type is-none'} aria-haspopup="dialog" data-testid="move-type"
        aria-label={type ? words.moves.type(type.name) : words.moves.noTypeYet} title={type?.name ?? words.moves.chooseType}
        onClick={() => navigation.open(`type:${move.id}`)}
      >
        {type && <i style={{ backgroundColor: colour }} />}
        {type ? <span dir="auto">{shortName(type)}</span> : <Icon name="type" size={20} />}
      </button>
      <IconButton
        icon={isOpen ? 'up' : 'down'} label={words.moves.notesOn(move.title)} aria-expanded={isOpen}
        aria-controls={isOpen ? notesId : undefined} data-testid="move-disclosure" onClick={() => setOpen(!isOpen)}
      />
      <div className="menu-holder move-more">
        <IconButton
          icon="more" label={words.common.moreFor(move.title)} aria-haspopup="menu" aria-expanded={menu === 'more'}
          data-testid="move-menu" onClick={() => setMenu('more')}
        />
        {menu === 'more' && shownMenu()}
      </div>
      {!isOpen && move.notes && (
        <p className="move-preview" dir="auto" data-testid="move-preview" onClick={() => setOpen(true)}>{move.notes}</p>
      )}
      {sharedRoutine !== undefined && <moveComments.Page move={move} routineId={sharedRoutine} isAlways={false} />}
      <WeakMark id={move.id} />
      {isResting && counts && <LoopMoves move={move} counts={counts} />}
      {isOpen && <MoveNotes move={move} id={notesId} />}
    </li>
  );
});
MoveCard.displayName = 'MoveCard';
