// One move type: name, abbreviation and colour. An existing type is saved on every input.

import { useState } from 'react';
import { useServices } from '../services/services';
import { LimitedField, SavedField } from '../ui/LimitedField';
import type { MoveType } from '../sync/records';
import { excess, limits } from '../sync/validation';
import { Button } from '../ui/Button';
import { ColourChoice } from '../ui/ColourChoice';
import { nextMoveColour, proposedAbbreviation } from '../ui/moveTypes';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

interface MoveTypeSheetProps {
  /** Null creates a new one. */
  readonly type: MoveType | null;
  readonly onClose: () => void;
  readonly onDelete?: () => void;
}

/** A new type's fields; null: as proposed. */
interface NewType {
  readonly name: string;
  readonly abbreviation: string | null;
  readonly colour: string | null;
}

const untouched: NewType = { name: '', abbreviation: null, colour: null };

/** The input for a new type that is not created yet: closing the sheet does not lose it. */
let typed = untouched;

/** The sheet. */
export function MoveTypeSheet({ type, onClose, onDelete }: MoveTypeSheetProps): JSX.Element {
  const { library } = useServices();
  const [fields, setFields] = useState(typed);
  const [proposedColour] = useState(() => nextMoveColour(library.all('moveType').map(({ colour }) => colour)));
  const change = (changed: Partial<NewType>): void => {
    typed = { ...typed, ...changed };
    setFields(typed);
  };
  const { name } = fields;
  const abbreviation = fields.abbreviation ?? proposedAbbreviation(name);
  const newColour = fields.colour ?? proposedColour;
  const isComplete = name.trim() !== '' && excess(name, limits.moveType.name) === null
    && excess(abbreviation, limits.moveType.abbreviation) === null;
  const { settings } = lateWords;
  const colour = type ? type.colour : newColour;
  return (
    <Sheet
      title={type ? settings.editType : settings.newType} onClose={onClose} testId="type-sheet"
      footer={type
        ? (
          <>
            <Button kind="quiet" icon="trash" className="is-dangerous" data-testid="type-delete" onClick={onDelete}>{words.common.delete}</Button>
            <Button kind="primary" data-testid="type-done" onClick={onClose}>{words.common.done}</Button>
          </>
        )
        : (
          <Button
            kind="primary" disabled={!isComplete} data-testid="type-create"
            onClick={() => {
              library.create('moveType', { name: name.trim(), abbreviation: abbreviation.trim(), colour: newColour });
              typed = untouched;
              onClose();
            }}
          >
            {settings.create}
          </Button>
        )}
    >
      <div className="stack">
        {type
          ? (
            <>
              <SavedField
                label={settings.name} id={type.id} value={type.name} limit={limits.moveType.name} isRequired isFirst
                testId="type-name" save={(text) => library.edit('moveType', type.id, { name: text })}
              />
              <SavedField
                label={settings.abbreviation} id={type.id} value={type.abbreviation ?? ''}
                limit={limits.moveType.abbreviation} testId="type-abbreviation"
                save={(text) => library.edit('moveType', type.id, { abbreviation: text })}
              />
            </>
          )
          : (
            <>
              <LimitedField
                label={settings.name} value={name} limit={limits.moveType.name} isFirst testId="type-name"
                onChange={(text) => change({ name: text })}
              />
              <LimitedField
                label={settings.abbreviation} value={abbreviation} limit={limits.moveType.abbreviation}
                testId="type-abbreviation" onChange={(text) => change({ abbreviation: text })}
              />
            </>
          )}
        <ColourChoice
          legend={settings.colour} value={colour ?? null}
          onChoose={(value) => {
            if (type) library.edit('moveType', type.id, { colour: value });
            else change({ colour: value });
          }}
        />
      </div>
    </Sheet>
  );
}
