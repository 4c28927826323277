// The head of a routine's page.

import type { Part, Routine } from '../sync/records';
import { IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { words } from '../words/words';

interface PageHeadProps {
  readonly routine: Routine;
  readonly part: Part | undefined;
  readonly index: number;
  /** Makes the head take no input while the large player covers it. */
  readonly covered: { readonly inert: '' | undefined };
  /** Null where there is no list of routines to go to. */
  readonly onLeave: (() => void) | null;
  readonly onJump: () => void;
  /** Null where it may not be edited. */
  readonly onEdit: (() => void) | null;
}

/** The names of the routine and of the shown part, which open "Jump to". */
export function PageHead({ routine, part, index, covered, onLeave, onJump, onEdit }: PageHeadProps): JSX.Element {
  return (
    <header className="practice-head full-head" {...covered}>
      <h1 className="only-spoken">{routine.title}</h1>
      {onLeave && <IconButton icon="back" label={words.routinePage.allRoutines} data-testid="routine-back" onClick={onLeave} />}
      <button
        type="button" className="title-button practice-title" data-testid="jump-button" aria-haspopup="dialog"
        disabled={part === undefined} onClick={onJump}
      >
        <small dir="auto">{routine.title}</small>
        <span className="practice-part">
          <b dir="auto">{part ? `${index + 1}. ${part.title}` : words.routinePage.noParts}</b>
          {part && <Icon name="down" size={18} />}
        </span>
      </button>
      {onEdit && <IconButton icon="edit" label={words.routinePage.edit} data-testid="edit-routine" onClick={onEdit} />}
    </header>
  );
}
