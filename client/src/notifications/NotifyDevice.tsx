// Whether this device is notified of comments: the choice, or why it can't be.

import { useEffect, useState, useSyncExternalStore } from 'react';
import { reasonOf } from '../sync/requests';
import { Button } from '../ui/Button';
import { Choices } from '../ui/Choices';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import type { PushLevel } from './agreement';
import { choosePush, comparePush, devicePush, subscribeToPush } from './devicePush';
import './notifications.css';

/** Returns what is known of notifications on this device. */
export const useDevicePush = (): ReturnType<typeof devicePush> => useSyncExternalStore(subscribeToPush, devicePush);

/** The choice in the settings; nothing where the server sends no notifications. */
export function NotifyDevice(): JSX.Element | null {
  const { isOffered } = useDevicePush();
  // The person may have allowed them meanwhile. Without the server, what is known stays.
  useEffect(() => void comparePush().catch(() => undefined), []);
  return isOffered ? <div className="settings-group"><Choice /></div> : null;
}

/** A button that opens the choice below it; nothing where the server sends no notifications. */
export function NotifyButton(): JSX.Element | null {
  const { isOffered } = useDevicePush();
  const [isOpen, setOpen] = useState(false);
  if (!isOffered) return null;
  return (
    <>
      <Button kind="quiet" icon="phone" className="comments-changes" aria-expanded={isOpen} data-testid="notify-open" onClick={() => setOpen(!isOpen)}>
        {lateWords.notifications.notify}
      </Button>
      {isOpen && <div className="notify-below"><Choice /></div>}
    </>
  );
}

/** The choice, or why there is none. */
function Choice(): JSX.Element {
  const { obstacle, level } = useDevicePush();
  const [isBusy, setBusy] = useState(false);
  const text = lateWords.notifications;
  const choose = async (chosen: PushLevel | null): Promise<void> => {
    if (isBusy || chosen === level) return;
    setBusy(true);
    try {
      await choosePush(chosen);
      if (chosen !== null && devicePush().obstacle === null && devicePush().level === null) toasts.say(text.notAllowed, { kind: 'problem' });
    } catch (failure) {
      // A browser that does not reach its push service says so with an error of its own.
      toasts.say(failure instanceof DOMException ? text.serviceFailed : chosen === null ? text.offLater : reasonOf(failure), { kind: 'problem' });
    }
    setBusy(false);
  };
  return (
    <div className="notify-choice" data-testid="notify-device" aria-busy={isBusy}>
      {obstacle === null || level !== null
        ? (
          <Choices<PushLevel | 'off'>
            legend={text.notify} value={level ?? 'off'} testId="notify-level" form="column"
            choices={[
              { value: 'off', label: text.off }, { value: 'mentions', label: text.mentions }, { value: 'all', label: text.all },
            ]}
            onChoose={(value) => void choose(value === 'off' ? null : value)}
          />
        )
        : <p className="choices-legend">{text.notify}</p>}
      <p className="note" data-testid={obstacle === null ? 'notify-about' : 'notify-obstacle'}>
        {obstacle === null ? text.about : text.obstacles[obstacle]}
      </p>
    </div>
  );
}
