// The sheet for a move's type.

import { useServices } from '../services/services';
import type { Move } from '../sync/records';
import { Button } from '../ui/Button';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { choiceOf, isChosen, resolveType, spaceOfPart, type TypeChoice } from './typeChoice';
import { TypePicker } from './TypePicker';
import { useTypeChoice } from './useTypeChoice';

/** The full name of a move's type, and the choice of another one. */
export function ChooseType({ move, onClose }: { move: Move; onClose: () => void }): JSX.Element {
  const { library } = useServices();
  const type = move.moveType ? library.get('moveType', move.moveType) : undefined;
  const [choice, choose] = useTypeChoice(move.id, () => (
    type ? choiceOf(type.id) : { ...choiceOf(null), kind: 'none' }
  ));
  const space = spaceOfPart(library, move.part);
  const isNew = choice.kind === 'new';
  const use = (chosen: TypeChoice): void => {
    library.edit('move', move.id, { moveType: resolveType(library, chosen, space) });
  };
  return (
    <Sheet
      title={type?.name ?? lateWords.moves.noType} onClose={onClose} testId="choose-type"
      footer={(
        <Button
          kind="primary" disabled={!isChosen(choice)} data-testid="use-type"
          onClick={() => {
            if (isNew) {
              use(choice);
              choose(choiceOf(null));
            }
            onClose();
          }}
        >
          {isNew ? lateWords.moves.useType : words.common.done}
        </Button>
      )}
    >
      <TypePicker
        choice={choice} space={space}
        onChoose={(chosen) => {
          choose(chosen);
          if (chosen.kind !== 'new') use(chosen);
        }}
      />
    </Sheet>
  );
}
