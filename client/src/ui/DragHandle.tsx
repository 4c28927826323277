// The handle of a row in a sortable list: by drag, by arrow keys, by menu.

import { useState } from 'react';
import { announce } from './announce';
import { Icon } from './Icon';
import { Menu } from './Menu';

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
    announce(`${name}, now ${target + 1} of ${count}`);
  };
  return (
    <div className="grip-holder">
      <button
        type="button" className="icon-button grip" data-testid="grip" aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={`Reorder ${name}, ${index + 1} of ${count}. The arrow keys move it.`}
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
          label={`Reorder ${name}`} onClose={() => setOpen(false)}
          items={[
            { label: 'Move up', icon: 'up', isDisabled: index === 0, run: () => move(-1) },
            { label: 'Move down', icon: 'down', isDisabled: index === count - 1, run: () => move(1) },
          ]}
        />
      )}
    </div>
  );
}
