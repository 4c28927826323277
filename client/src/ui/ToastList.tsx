// Shows the toasts, where a screen reader hears them.

import { useSyncExternalStore } from 'react';
import { Button, IconButton } from './Button';
import './toast.css';
import { toasts } from './toasts';

/** The messages at the edge of the screen. */
export function ToastList(): JSX.Element {
  const shown = useSyncExternalStore(toasts.subscribe, () => toasts.shown);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <div
          key={toast.id} className={`toast toast-${toast.kind}`} data-testid="toast"
          onPointerEnter={() => toasts.hold(toast.id)} onPointerLeave={() => toasts.resume(toast.id)}
          onFocus={() => toasts.hold(toast.id)} onBlur={() => toasts.resume(toast.id)}
        >
          <span dir="auto">{toast.text}</span>
          {toast.action && (
            <Button
              kind="quiet" className="toast-action" data-testid="toast-action"
              onClick={() => {
                toast.action?.run();
                toasts.dismiss(toast.id);
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <IconButton icon="close" label="Dismiss" onClick={() => toasts.dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}
