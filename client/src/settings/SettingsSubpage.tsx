// A subpage of the settings: a back button, a title, and its content.

import type { ReactNode } from 'react';
import { useServices } from '../services/services';
import { IconButton } from '../ui/Button';
import { words } from '../words/words';
import '../ui/rows.css';

/** The frame of such a page. */
export function SettingsSubpage({ title, children, action }: {
  title: string; children: ReactNode; action?: ReactNode;
}): JSX.Element {
  const { navigation } = useServices();
  return (
    <div className="room">
      <header className="page-head">
        <IconButton
          icon="back" label={words.common.settings} data-testid="room-back"
          onClick={() => navigation.leave({ page: 'settings' })}
        />
        <h1>{title}</h1>
        {action}
      </header>
      {children}
    </div>
  );
}

/** An empty list, with the next step. */
export function NothingYet({ children, action }: { children: ReactNode; action: ReactNode }): JSX.Element {
  return (
    <div className="nothing-yet" data-testid="nothing-yet">
      <p>{children}</p>
      {action}
    </div>
  );
}
