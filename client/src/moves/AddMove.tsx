// The sheet that adds moves one after another.

import { useId, useRef, useState } from 'react';
import { useServices } from '../services/services';
import { useOpenedPart } from '../parts/useOpenedPart';
import { LimitedField } from '../ui/LimitedField';
import type { Part } from '../sync/records';
import { excess, limits } from '../sync/validation';
import { Button } from '../ui/Button';
import { remember, remembered } from '../ui/device';
import { Icon } from '../ui/Icon';
import { Sheet } from '../ui/Sheet';
import { oneLine } from '../ui/text';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { addMove, insertMove } from './actions';
import './moveCounts.css';
import { placeText } from './MoveTime';
import { choiceOf, isChosen, resolveType, spaceOfPart, typesIn } from './typeChoice';
import { TypePicker } from './TypePicker';
import { useMoveCounts } from './useMoveCounts';
import { useTypeChoice } from './useTypeChoice';

/** Typed text for each part that is not added yet: closing the sheet does not lose it. */
const typed = new Map<string, string>();

interface AddMoveProps {
  readonly part: Part;
  /** The count where the move is to lie; without one it comes last and has no counts. */
  readonly at?: number;
  readonly onClose: () => void;
}

/** Name and type; the sheet stays open for the next move, with the same type, and behind the one before. */
export function AddMove({ part: shown, at, onClose }: AddMoveProps): JSX.Element {
  const { library } = useServices();
  const part = useOpenedPart(shown, onClose);
  const counts = useMoveCounts(part);
  const [start, setStart] = useState(at);
  const place = counts && start !== undefined ? placeText(counts, start, null) : null;
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  const [title, setTitle] = useState(typed.get(part.id) ?? '');
  const [added, setAdded] = useState<string | null>(null);
  const space = spaceOfPart(library, part.id);
  const [choice, choose] = useTypeChoice(part.id, () => {
    const last = remembered('moveType');
    // Where no type is made yet, there is nothing to choose.
    const types = typesIn(library.all('moveType'), space);
    if (types.length === 0) return { ...choiceOf(null), kind: 'none' };
    return choiceOf(types.some(({ id }) => id === last) ? last : null);
  });
  const isComplete = title.trim() !== '' && excess(title, limits.move.title) === null && isChosen(choice);

  const type = (text: string): void => {
    typed.set(part.id, text);
    setTitle(text);
  };
  const add = (): void => {
    if (!isComplete) return;
    const name = oneLine(title).trim();
    library.transact(() => {
      const moveType = resolveType(library, choice, space);
      const { id, end } = start === undefined || place === null
        ? { id: addMove(library, part.id, { title: name, moveType }), end: undefined }
        : insertMove(library, part.id, start, { title: name, moveType });
      setStart(end);
      if (moveType !== null) {
        remember('moveType', moveType);
        choose(choiceOf(moveType));
      }
      requestAnimationFrame(() => {
        document.querySelector(`.part-page:not([inert]) [data-id="${id}"]`)?.scrollIntoView({ block: 'nearest' });
      });
    });
    type('');
    setAdded(place === null ? `${library.moves(part.id).length}. ${name}` : `${name} (${place})`);
    form.current?.querySelector('input')?.focus();
  };

  return (
    <Sheet
      title={lateWords.moves.addMove} onClose={onClose} testId="add-move"
      footer={(
        <>
          <Button
            data-testid="add-move-done"
            onClick={() => {
              add();
              onClose();
            }}
          >
            {words.common.done}
          </Button>
          <Button
            kind="primary" icon="plus" type="submit" form={formId} disabled={!isComplete} data-testid="add-move-add"
          >
            {lateWords.moves.add}
          </Button>
        </>
      )}
    >
      <form
        className="stack" id={formId} ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <LimitedField
          label={lateWords.moves.name} value={title} limit={limits.move.title} isFirst onChange={type}
          testId="add-move-title"
        />
        {place !== null && <p className="move-place time" data-testid="add-move-place">{place}</p>}
        <TypePicker choice={choice} space={space} onChoose={choose} />
      </form>
      <p className="move-added" role="status" data-testid="move-added">
        {added !== null && (
          <>
            <Icon name="check" size={20} />
            <span dir="auto">{lateWords.moves.added(added)}</span>
          </>
        )}
      </p>
    </Sheet>
  );
}
