// This device in its settings: its name, and the button that ends its pairing.

import { useState } from 'react';
import { useServices } from '../services/services';
import { Button, IconButton } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { toasts } from '../ui/toasts';
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
  const attempt = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (failure) {
      toasts.say(sentenceOf(failure), { kind: 'problem' });
    }
  };
  return (
    <section className="settings-group" aria-label="This device">
      <h2>This device</h2>
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
              <p>Paired as <b><bdi>{device.name}</bdi></b></p>
              <IconButton icon="edit" label="Rename this device" data-testid="own-rename" onClick={() => setOpen('rename')} />
            </>
          )}
      </div>
      <div><Button data-testid="leave" onClick={() => setOpen('leave')}>Leave</Button></div>
      {open === 'leave' && (
        <Confirm
          title="Leave this Segmance?" action="Leave" onClose={() => setOpen(null)}
          onConfirm={() => void attempt(leave()).then(() => library.refresh())}
        >
          This device is no longer paired then. What is kept on it stays; to see what is new it has to
          be paired again.
        </Confirm>
      )}
    </section>
  );
}
