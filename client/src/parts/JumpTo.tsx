// A grid of all parts of a routine, to go to any of them.

import type { Part, Routine } from '../sync/records';
import { Sheet } from '../ui/Sheet';
import { words } from '../words/words';
import './jumpTo.css';
import { PartCounts, PartLength } from './PartLength';

interface JumpToProps {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  readonly index: number;
  readonly onChoose: (index: number) => void;
  readonly onClose: () => void;
  readonly title?: string;
  /** A text above the grid, in place of the routine's title. */
  readonly note?: string;
  /** The current part can't be chosen. */
  readonly isOtherOnly?: boolean;
}

/** The sheet of the header, and the one that asks for another part. */
export function JumpTo({
  routine, parts, index, onChoose, onClose, title = words.parts.jumpTo, note = routine.title, isOtherOnly,
}: JumpToProps): JSX.Element {
  return (
    <Sheet title={title} onClose={onClose} testId="jump-to">
      <p className="jump-routine" dir="auto">{note}</p>
      <ol className="jump-grid">
        {parts.map((part, at) => (
          <li key={part.id}>
            <button
              type="button" data-testid="jump-part" aria-current={at === index ? 'step' : undefined}
              data-first={at === index ? '' : undefined}
              disabled={isOtherOnly && at === index} onClick={() => onChoose(at)}
            >
              <span className="jump-number time">{at + 1}</span>
              <span className="jump-name" dir="auto">{part.title}</span>
              <span className="jump-length time"><PartLength part={part} /></span>
              <span className="jump-length time"><PartCounts part={part} /></span>
            </button>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
