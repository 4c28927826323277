// The notes of a move, in a field that saves on every input.

import { useState } from 'react';
import { useServices } from '../services/services';
import type { Move } from '../sync/records';
import { limits, validateFields } from '../sync/validation';
import { EarlierVersions } from '../services/EarlierVersions';
import { AutoGrowTextarea } from '../ui/AutoGrowTextarea';
import { plainLines } from '../ui/text';
import { TooLong } from '../ui/TooLong';
import { words } from '../words/words';

/** The content of a card's disclosure. */
export function MoveNotes({ move, id }: { move: Move; id: string }): JSX.Element {
  const { library } = useServices();
  const [refused, setRefused] = useState<string | null>(null);
  const save = (text: string): void => {
    const notes = plainLines(text);
    const problem = validateFields('move', { notes });
    setRefused(problem === null ? null : notes);
    if (problem === null) library.edit('move', move.id, { notes: notes === '' ? null : notes });
  };
  return (
    <div className="move-notes" id={id}>
      <AutoGrowTextarea
        className="move-notes-field" value={refused ?? move.notes ?? ''} limit={limits.move.notes}
        aria-label={words.moves.notesOn(move.title)} placeholder={words.moves.notesHint}
        data-testid="move-notes" onText={save}
      />
      {refused !== null && <TooLong text={refused} limit={limits.move.notes} />}
      <EarlierVersions
        type="move" id={move.id} labels={{ title: words.moves.title, notes: words.moves.notes }}
        onUse={(field, value) => {
          if (field === 'notes') setRefused(null);
          library.edit('move', move.id, { [field]: value });
        }}
      />
    </div>
  );
}
