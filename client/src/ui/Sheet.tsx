// A sheet over the page: from below on a phone, in the middle of a larger screen.

import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { IconButton } from './Button';
import './sheet.css';
import { toasts } from './toasts';

interface SheetProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Stands below what scrolls. */
  readonly footer?: ReactNode;
  /** `tall` fills a phone's screen; `small` asks a question. */
  readonly size?: 'small' | 'medium' | 'tall';
  readonly role?: 'dialog' | 'alertdialog';
  readonly testId?: string;
}

/** Shows its content in a modal dialog for as long as it is rendered. */
export function Sheet({
  title, onClose, children, footer, size = 'medium', role, testId,
}: SheetProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  /** Whether the press that is under way began beside it; a selected text may end there. */
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
      // Closing before it leaves the page gives the focus back to where it was.
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
      // Not as soon as it is touched: the rest of the tap would press what lies below.
      onClick={(event) => {
        if (isBeside.current && event.target === event.currentTarget) onClose();
      }}
    >
      <div className="sheet-body">
        <header className="sheet-header">
          <h2 id={titleId} dir="auto">{title}</h2>
          {role !== 'alertdialog' && (
            <IconButton icon="close" label="Close" onClick={onClose} data-testid="sheet-close" />
          )}
        </header>
        <div className="sheet-content" id={contentId}>{children}</div>
        {footer && <footer className="sheet-footer">{footer}</footer>}
      </div>
    </dialog>
  );
}
