// Asks what happens to the moves of a type that is to be deleted.

import { useState } from 'react';
import { useServices } from '../services/services';
import type { MoveType } from '../sync/records';
import { Button } from '../ui/Button';
import { Choices } from '../ui/Choices';
import { Sheet } from '../ui/Sheet';
import { plural } from '../ui/time';
import { toasts } from '../ui/toasts';
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
  const count = plural(movesOf(library, type.id).length, 'move');
  const confirm = (): void => {
    const undo = deleteMoveType(
      library, type, kind === 'delete' ? { kind } : { kind, moveType: heir === '' ? null : heir },
    );
    onClose();
    const told = kind === 'delete'
      ? `“${type.name}” and ${count} are deleted.`
      : `“${type.name}” is deleted; ${count} kept.`;
    toasts.say(told, { action: { label: 'Undo', run: undo } });
  };
  return (
    <Sheet
      title={`Delete “${type.name}”?`} onClose={onClose} testId="delete-type"
      footer={(
        <>
          <Button onClick={onClose} data-first="" data-testid="delete-type-cancel">Keep</Button>
          <Button kind="danger" onClick={confirm} data-testid="delete-type-confirm">
            {kind === 'delete' ? 'Delete all' : 'Delete type'}
          </Button>
        </>
      )}
    >
      <div className="stack">
        <Choices
          legend={`${count} of this type`} value={kind} form="column" testId="type-fate"
          choices={[
            { value: 'retype', label: 'Give them another type' },
            { value: 'delete', label: `Delete ${count}, too` },
          ]}
          onChoose={setKind}
        />
        {kind === 'retype' && (
          <label className="field">
            <span>Their new type</span>
            <select
              className="input select" value={heir} data-testid="type-heir"
              onChange={(event) => setHeir(event.target.value)}
            >
              {others.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
              <option value="">No type</option>
            </select>
          </label>
        )}
      </div>
    </Sheet>
  );
}
