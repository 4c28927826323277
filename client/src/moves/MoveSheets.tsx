// The sheets for a routine's moves: add one, choose a type, lay them on counts, say their names, choose another part.

import { useEffect } from 'react';
import { useFromLibrary, usePlace, useServices } from '../services/services';
import { JumpTo } from '../parts/JumpTo';
import type { Part, Routine } from '../sync/records';
import { words } from '../words/words';
import { copyToPart, moveToPart } from './actions';
import { AddMove } from './AddMove';
import { ChooseType } from './ChooseType';
import { MoveCounts } from './MoveCounts';
import { RecordName } from './RecordName';
import { TapMoves } from './TapMoves';

interface MoveSheetsProps {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  /** The part that is shown. */
  readonly part: Part;
}

/**
 * Shows the open sheet, if any: `addMove`, perhaps with a count, `tapMoves`, or `type:`, `moveCounts:`, `recordName:`,
 * `moveTo:`, `copyTo:` and a move.
 */
export function MoveSheets({ routine, parts, part }: MoveSheetsProps): JSX.Element | null {
  const { library, navigation } = useServices();
  const { overlays } = usePlace();
  const overlay = overlays.find((name) => /^(type|moveCounts|recordName|moveTo|copyTo):/.test(name));
  const [kind = '', moveId = ''] = overlay?.split(':') ?? [];
  const move = useFromLibrary((current) => current.get('move', moveId));
  // A move that was deleted, by an undo or on another device, closes its sheet.
  const gone = overlay !== undefined && !move ? overlay : null;
  useEffect(() => {
    if (gone !== null) navigation.close(gone);
  }, [gone, navigation]);
  const adding = overlays.find((name) => name === 'addMove' || name.startsWith('addMove:'));
  if (adding !== undefined) {
    const count = adding.split(':')[1];
    return (
      <AddMove
        part={part} {...(count === undefined ? {} : { at: Number(count) })} onClose={() => navigation.close(adding)}
      />
    );
  }
  if (overlays.includes('tapMoves')) {
    return <TapMoves part={part} onClose={() => navigation.close('tapMoves')} />;
  }
  if (overlay === undefined || !move) return null;
  const close = (): void => navigation.close(overlay);
  if (kind === 'moveCounts') return <MoveCounts move={move} onClose={close} />;
  if (kind === 'recordName') return <RecordName move={move} onClose={close} />;
  if (kind === 'type') return <ChooseType move={move} onClose={close} />;
  return (
    <JumpTo
      title={kind === 'moveTo' ? words.moves.moveTo : words.moves.copyTo} note={move.title} routine={routine} parts={parts}
      index={parts.findIndex(({ id }) => id === move.part)} isOtherOnly onClose={close}
      onChoose={(index) => {
        close();
        const to = parts[index];
        if (to) (kind === 'moveTo' ? moveToPart : copyToPart)(library, move, to);
      }}
    />
  );
}
