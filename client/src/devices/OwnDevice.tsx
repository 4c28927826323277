// This device in its settings: its name, and the button that ends its pairing.

import { useState } from 'react';
import { endBrowserPush } from '../offline/browserPush';
import { useServices } from '../services/services';
import { Button, IconButton } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { Named } from '../ui/Named';
import { toasts } from '../ui/toasts';
import { dateText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { leave, renameDevice, sentenceOf, type OwnDeviceInfo } from './api';
import { EditableName } from './EditableName';

interface OwnDeviceProps {
  readonly device: OwnDeviceInfo;
  readonly onRenamed: () => void;
}

/** The group. */
export function OwnDevice({ device, onRenamed }: OwnDeviceProps): JSX.Element {
  const { library, offline } = useServices();
  const [open, setOpen] = useState<'rename' | 'leave' | null>(null);
  const texts = lateWords.devices;
  const { signIn } = lateWords;
  const isShort = device.endsAt !== null;
  const attempt = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (failure) {
      toasts.say(sentenceOf(failure), { kind: 'problem' });
    }
  };
  const end = async (): Promise<void> => {
    // It forgets what must be forgotten, and so has to be there before the access ends. Storage that hangs must not keep
    // anybody signed in.
    const late = new Promise((resolve) => setTimeout(resolve, 3_000));
    await Promise.race([offline.work().catch(() => undefined), late]);
    await endBrowserPush();
    await leave();
  };
  return (
    <section className="settings-group" aria-label={texts.thisDevice}>
      <h2>{texts.thisDevice}</h2>
      <div className="own-device" data-testid="own-device">
        {open === 'rename'
          ? (
            <EditableName
              name={device.name} onCancel={() => setOpen(null)}
              onName={(name) => {
                setOpen(null);
                void attempt(renameDevice(device.id, name)).then(onRenamed);
              }}
            />
          )
          : (
            <>
              <p><Named message={texts.pairedAs} name={device.name} isBold /></p>
              <IconButton icon="edit" label={texts.renameThis} data-testid="own-rename" onClick={() => setOpen('rename')} />
            </>
          )}
      </div>
      {device.endsAt !== null && <p className="note" data-testid="own-ends-at">{signIn.endsAt(dateText(device.endsAt, true))}</p>}
      <div><Button data-testid="leave" onClick={() => setOpen('leave')}>{isShort ? signIn.signOut : texts.unpair}</Button></div>
      {open === 'leave' && (
        <Confirm
          title={isShort ? signIn.signOutQuestion : texts.unpairQuestion} action={isShort ? signIn.signOut : texts.unpair}
          onClose={() => setOpen(null)}
          onConfirm={() => void attempt(end()).then(() => library.refresh())}
        >
          {isShort ? signIn.signOutExplained : texts.unpairExplained}
        </Confirm>
      )}
    </section>
  );
}
