// A sheet over the page: from below on a phone, in the middle of a larger screen.

import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { IconButton } from './Button';
import { isolated } from './isolated';
import './sheet.css';
import { toasts } from './toasts';
import { words } from '../words/words';

interface SheetProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Placed below the scrolling content. */
  readonly footer?: ReactNode;
  /** `tall` fills a phone's screen; `small` is for a question. */
  readonly size?: 'small' | 'medium' | 'tall';
  readonly role?: 'dialog' | 'alertdialog';
  readonly testId?: string;
}

/** Shows its content in a modal dialog as long as it is rendered. */
export function Sheet({
  title, onClose, children, footer, size = 'medium', role, testId,
}: SheetProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  /** Whether the current press began outside; a text selection may end there. */
  const isBeside = useRef(false);
  const titleId = useId();
  const contentId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    element.showModal();
    element.querySelector<HTMLElement>('[data-first]')?.focus();
    toasts.rehome();
    return () => {
      // Closing it before its removal returns the focus.
      element.close();
      toasts.rehome();
    };
  }, []);

  return (
    <dialog
      ref={dialog} className={`sheet sheet-${size}`} role={role} aria-labelledby={titleId}
      aria-describedby={role === 'alertdialog' ? contentId : undefined} data-testid={testId}
      onCancel={(event) => {
        // A file picker inside sends this event, too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => { isBeside.current = event.target === event.currentTarget; }}
      // Not on touch start: the rest of the tap would press the element below.
      onClick={(event) => {
        if (isBeside.current && event.target === event.currentTarget) onClose();
      }}
    >
      <div className="sheet-body">
        <header className="sheet-header">
          <h2 id={titleId} dir="auto">{typeof title === 'string' ? isolated(title) : title}</h2>
          {role !== 'alertdialog' && (
            <IconButton icon="close" label={words.common.close} onClick={onClose} data-testid="sheet-close" />
          )}
        </header>
        <div className="sheet-content" id={contentId}>{children}</div>
        {footer && <footer className="sheet-footer">{footer}</footer>}
      </div>
    </dialog>
  );
}
