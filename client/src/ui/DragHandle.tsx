// The handle of a row in a sortable list: by drag, by arrow keys, by menu.

import { useState } from 'react';
import { announce } from './announce';
import { Icon } from './Icon';
import { Menu } from './Menu';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

interface GripProps {
  readonly name: string;
  readonly index: number;
  readonly count: number;
  readonly onMove: (toIndex: number) => void;
}

/** A drag handle. A press offers to move up or down; the arrow keys do so at once. */
export function DragHandle({ name, index, count, onMove }: GripProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const move = (step: number): void => {
    const target = index + step;
    if (target < 0 || target >= count) return;
    onMove(target);
    announce(lateWords.ui.nowAt(name, target + 1, count));
  };
  return (
    <div className="grip-holder">
      <button
        type="button" className="icon-button grip" data-testid="grip" aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={lateWords.ui.grip(name, index + 1, count)}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          move(event.key === 'ArrowUp' ? -1 : 1);
        }}
      >
        <Icon name="grip" />
      </button>
      {isOpen && (
        <Menu
          label={lateWords.ui.reorder(name)} onClose={() => setOpen(false)}
          items={[
            { label: words.common.moveUp, icon: 'up', isDisabled: index === 0, run: () => move(-1) },
            { label: words.common.moveDown, icon: 'down', isDisabled: index === count - 1, run: () => move(1) },
          ]}
        />
      )}
    </div>
  );
}
