// Asks for confirmation before a deletion, and names what is deleted with it.

import type { ReactNode } from 'react';
import { Button } from './Button';
import { isolated } from './isolated';
import { Sheet } from './Sheet';
import { words } from '../words/words';

interface ConfirmProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** A question with one dangerous and one safe answer; the safe one has the focus. */
export function Confirm({ title, children, action, onConfirm, onClose }: ConfirmProps): JSX.Element {
  return (
    <Sheet
      title={title} size="small" role="alertdialog" onClose={onClose} testId="confirm"
      footer={(
        <>
          <Button onClick={onClose} data-first="" data-testid="confirm-cancel">{words.ui.keep}</Button>
          <Button
            kind="danger" data-testid="confirm-action"
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {action}
          </Button>
        </>
      )}
    >
      <p dir="auto">{typeof children === 'string' ? isolated(children) : children}</p>
    </Sheet>
  );
}
