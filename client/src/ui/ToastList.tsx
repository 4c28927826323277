// Shows the toasts, and announces them to screen readers.

import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton } from './Button';
import { isolated } from './isolated';
import './toast.css';
import { mostShown, toasts } from './toasts';
import { words } from '../words/words';

/** Undoes the newest action on Control or Command and Z outside of a field. */
function undoByKey(event: KeyboardEvent): void {
  const target = event.target instanceof Element ? event.target : null;
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
  if (!isUndo || target?.closest('input, textarea')) return;
  if (toasts.undoNewest()) event.preventDefault();
}

/**
 * The messages at the edge of the screen; an open dialog contains them, so that they can be
 * reached.
 */
export function ToastList(): JSX.Element {
  const kept = useSyncExternalStore(toasts.subscribe, () => toasts.kept);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    window.addEventListener('keydown', undoByKey);
    return () => window.removeEventListener('keydown', undoByKey);
  }, []);
  const isLong = kept.length > mostShown;
  useEffect(() => {
    if (!isLong) setOpen(false);
  }, [isLong]);
  const shown = isOpen ? kept : kept.slice(-mostShown);
  const hidden = kept.length - shown.length;
  const dialogs = document.querySelectorAll('dialog[open]');
  return createPortal(
    <div className={isOpen ? 'toasts is-long' : 'toasts'} role="status" aria-live="polite">
      {hidden > 0 && (
        <Button
          className="toasts-earlier" data-testid="toasts-earlier"
          onClick={(event) => {
            const list = event.currentTarget.parentElement;
            // Opening the list gives the user the full time to read the messages.
            for (const { id } of kept) toasts.resume(id);
            setOpen(true);
            // The button disappears; after a key press, the focus moves to the first of the
            // messages shown.
            if (event.detail > 0) return;
            requestAnimationFrame(() => list?.querySelector<HTMLElement>('.toast-action')?.focus());
          }}
        >
          {words.ui.showEarlier(hidden)}
        </Button>
      )}
      {shown.map((toast) => (
        <div
          key={toast.id} className={`toast toast-${toast.kind}${toast.other ? ' is-asking' : ''}`} data-testid="toast"
          onPointerEnter={() => toasts.hold(toast.id)} onPointerLeave={() => toasts.resume(toast.id)}
          onFocus={() => toasts.hold(toast.id)} onBlur={() => toasts.resume(toast.id)}
        >
          <span>{isolated(toast.text)}</span>
          {(['action', 'other'] as const).map((which) => toast[which] && (
            <Button
              key={which} kind="quiet" className="toast-action" data-testid={`toast-${which}`}
              onClick={() => toasts.act(toast.id, which)}
            >
              {toast[which]?.label}
            </Button>
          ))}
          <IconButton icon="close" label={words.common.dismiss} onClick={() => toasts.dismiss(toast.id)} />
        </div>
      ))}
    </div>,
    dialogs[dialogs.length - 1] ?? document.body,
  );
}
