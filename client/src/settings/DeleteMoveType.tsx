// Asks what happens to the moves of a type that is to be deleted.

import { useState } from 'react';
import { useServices } from '../services/services';
import type { MoveType } from '../sync/records';
import { Button } from '../ui/Button';
import { Choices } from '../ui/Choices';
import { Named } from '../ui/Named';
import { Sheet } from '../ui/Sheet';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { deleteMoveType, movesOf } from './moveTypeActions';

interface DeleteMoveTypeProps {
  readonly type: MoveType;
  readonly types: readonly MoveType[];
  readonly onClose: () => void;
}

/** The question; the first answer is to give the moves another type. */
export function DeleteMoveType({ type, types, onClose }: DeleteMoveTypeProps): JSX.Element {
  const { library } = useServices();
  const [kind, setKind] = useState<'retype' | 'delete'>('retype');
  const others = types.filter(({ id }) => id !== type.id);
  const [heir, setHeir] = useState(others[0]?.id ?? '');
  const { settings } = lateWords;
  const count = settings.moveCount(movesOf(library, type.id).length);
  const confirm = (): void => {
    const undo = deleteMoveType(
      library, type, kind === 'delete' ? { kind } : { kind, moveType: heir === '' ? null : heir },
    );
    onClose();
    const told = kind === 'delete'
      ? settings.typeAndMovesDeleted(type.name, count)
      : settings.typeDeletedMovesKept(type.name, count);
    toasts.say(told, { action: { label: words.common.undo, run: undo } });
  };
  return (
    <Sheet
      title={<Named message={settings.deleteQuestion} name={type.name} />} onClose={onClose} testId="delete-type"
      footer={(
        <>
          <Button onClick={onClose} data-first="" data-testid="delete-type-cancel">{settings.keep}</Button>
          <Button kind="danger" onClick={confirm} data-testid="delete-type-confirm">
            {kind === 'delete' ? settings.deleteAll : settings.deleteType}
          </Button>
        </>
      )}
    >
      <div className="stack">
        <Choices
          legend={settings.ofThisType(count)} value={kind} form="column" testId="type-fate"
          choices={[
            { value: 'retype', label: settings.giveAnotherType },
            { value: 'delete', label: settings.deleteThemToo(count) },
          ]}
          onChoose={setKind}
        />
        {kind === 'retype' && (
          <label className="field">
            <span>{settings.newTypeOfMoves}</span>
            <select
              className="input select" value={heir} data-testid="type-heir"
              onChange={(event) => setHeir(event.target.value)}
            >
              {others.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
              <option value="">{settings.noType}</option>
            </select>
          </label>
        )}
      </div>
    </Sheet>
  );
}
