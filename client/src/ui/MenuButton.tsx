// A button with three dots, or another icon, that opens a menu beside it.

import { useState } from 'react';
import { IconButton } from './Button';
import type { IconName } from './Icon';
import { Menu, type MenuItem } from './Menu';

interface MenuButtonProps {
  readonly label: string;
  /** What the menu is about. */
  readonly menuLabel: string;
  readonly icon?: IconName;
  /** Makes the lines when the menu opens. */
  readonly items: () => readonly MenuItem[];
  readonly testId: string;
}

/** The button and its menu. */
export function MenuButton({ label, menuLabel, icon = 'more', items, testId }: MenuButtonProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="menu-holder">
      <IconButton
        icon={icon} label={label} aria-haspopup="menu" aria-expanded={isOpen} data-testid={testId}
        onClick={() => setOpen(true)}
      />
      {isOpen && <Menu label={menuLabel} items={items()} onClose={() => setOpen(false)} />}
    </div>
  );
}
