// A grid of all parts of a routine, to go to any of them.

import type { Part, Routine } from '../sync/records';
import { Sheet } from '../ui/Sheet';
import './jumpTo.css';
import { PartLength } from './PartLength';

interface JumpToProps {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  readonly index: number;
  readonly onChoose: (index: number) => void;
  readonly onClose: () => void;
}

/** The sheet behind the header. */
export function JumpTo({ routine, parts, index, onChoose, onClose }: JumpToProps): JSX.Element {
  return (
    <Sheet title="Jump to" onClose={onClose} testId="jump-to">
      <p className="jump-routine" dir="auto">{routine.title}</p>
      <ol className="jump-grid">
        {parts.map((part, at) => (
          <li key={part.id}>
            <button
              type="button" data-testid="jump-part" aria-current={at === index ? 'step' : undefined}
              data-first={at === index ? '' : undefined} onClick={() => onChoose(at)}
            >
              <span className="jump-number time">{at + 1}</span>
              <span className="jump-name" dir="auto">{part.title}</span>
              <span className="jump-length time"><PartLength part={part} /></span>
            </button>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
