// This device in its settings: its name, and the button that ends its pairing.

import { useState } from 'react';
import { useServices } from '../services/services';
import { Button, IconButton } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { Named } from '../ui/Named';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { leave, renameDevice, sentenceOf } from './api';
import { EditableName } from './EditableName';

interface OwnDeviceProps {
  readonly device: { readonly id: string; readonly name: string };
  readonly onRenamed: () => void;
}

/** The group. */
export function OwnDevice({ device, onRenamed }: OwnDeviceProps): JSX.Element {
  const { library } = useServices();
  const [open, setOpen] = useState<'rename' | 'leave' | null>(null);
  const texts = lateWords.devices;
  const attempt = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (failure) {
      toasts.say(sentenceOf(failure), { kind: 'problem' });
    }
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
      <div><Button data-testid="leave" onClick={() => setOpen('leave')}>{texts.unpair}</Button></div>
      {open === 'leave' && (
        <Confirm
          title={texts.unpairQuestion} action={texts.unpair} onClose={() => setOpen(null)}
          onConfirm={() => void attempt(leave()).then(() => library.refresh())}
        >
          {texts.unpairExplained}
        </Confirm>
      )}
    </section>
  );
}
