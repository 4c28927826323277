// The paired devices: renamed in place, and revoked at once after a confirmation.

import { useState } from 'react';
import { IconButton } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { Icon } from '../ui/Icon';
import { Menu } from '../ui/Menu';
import { Named } from '../ui/Named';
import { toasts } from '../ui/toasts';
import { listText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { renameDevice, revokeDevice, sentenceOf, type Device } from './api';
import { EditableName } from './EditableName';
import { guestsOf } from './guests';
import { lastSeen } from './format';

interface DeviceListProps {
  readonly devices: readonly Device[];
  readonly isLoaded: boolean;
  /** Whoever they belong to renames and revokes them; a device that the owner paired only itself. */
  readonly isOwner: boolean;
  readonly onChanged: () => Promise<void>;
}

/** The list, this device first, then by latest use. */
export function DeviceList({ devices, isLoaded, isOwner, onChanged }: DeviceListProps): JSX.Element {
  const sorted = [...devices].sort((one, other) => (
    Number(other.isThis) - Number(one.isThis) || (other.lastSeenAt ?? 0) - (one.lastSeenAt ?? 0)
  ));
  if (isLoaded && sorted.length === 0) {
    return <p className="note" data-testid="no-devices">{lateWords.devices.nonePaired}</p>;
  }
  return (
    <ul className="rows" data-testid="device-rows">
      {sorted.map((device) => (
        <DeviceRow
          key={device.id} device={device} devices={devices} canChange={isOwner || device.isThis} canRevoke={isOwner}
          onChanged={onChanged}
        />
      ))}
    </ul>
  );
}

interface DeviceRowProps {
  readonly device: Device;
  /** All devices. */
  readonly devices: readonly Device[];
  readonly canChange: boolean;
  readonly canRevoke: boolean;
  readonly onChanged: () => Promise<void>;
}

function DeviceRow({ device, devices, canChange, canRevoke, onChanged }: DeviceRowProps): JSX.Element {
  const [open, setOpen] = useState<'menu' | 'rename' | 'revoke' | null>(null);
  const [keepsGuests, setKeepsGuests] = useState(false);
  const guests = guestsOf(device, devices);
  const withGuests = guests.length > 0 && !keepsGuests;
  const inviter = devices.find(({ id }) => id === device.invitedBy);
  const close = (): void => setOpen(null);
  const texts = lateWords.devices;
  const guestNames = listText(guests.map(({ name }) => name));
  const attempt = async (work: Promise<void>, done: string | null): Promise<void> => {
    try {
      await work;
      if (done !== null) toasts.say(done);
    } catch (failure) {
      toasts.say(sentenceOf(failure), { kind: 'problem' });
    }
    await onChanged();
  };
  return (
    <li className="row-holder" data-testid="device-row">
      <div className="row is-still">
        <Icon name="phone" />
        {open === 'rename'
          ? (
            <EditableName
              name={device.name} onCancel={close}
              onName={(name) => {
                close();
                void attempt(renameDevice(device.id, name), null);
              }}
            />
          )
          : (
            <span className="row-text">
              <b dir="auto">{device.name}</b>
              <small>
                {device.isThis ? texts.thisDevice : lastSeen(device.lastSeenAt, Date.now())}
                {device.invitedBy !== null && <Named message={texts.addedBy} name={inviter?.name ?? texts.goneDevice} />}
              </small>
            </span>
          )}
      </div>
      {(canChange || canRevoke) && open !== 'rename' && (
        <div className="menu-holder">
          <IconButton
            icon="more" label={lateWords.settings.moreFor(device.name)} aria-haspopup="menu" aria-expanded={open === 'menu'}
            data-testid="device-menu" onClick={() => setOpen('menu')}
          />
          {open === 'menu' && (
            <Menu
              label={device.name} onClose={close}
              items={[
                { label: words.common.rename, icon: 'edit', testId: 'device-rename', run: () => setOpen('rename') },
                ...(canRevoke
                  ? [{ label: texts.revoke, icon: 'close', testId: 'device-revoke', isDangerous: true, run: () => setOpen('revoke') } as const]
                  : []),
              ]}
            />
          )}
        </div>
      )}
      {open === 'revoke' && (
        <Confirm
          title={texts.revokeQuestion} action={texts.revoke} onClose={close}
          onConfirm={() => void attempt(
            revokeDevice(device.id, withGuests),
            withGuests ? texts.revokedWithGuests(device.name) : texts.revoked(device.name),
          )}
        >
          {texts.revokeExplained}
          <span className="confirm-line"><bdi>{device.name}</bdi></span>
          {guests.length > 0 && (
            <label className="choice" data-testid="guests">
              <input
                type="checkbox" checked={!keepsGuests} data-testid="revoke-guests"
                onChange={(event) => setKeepsGuests(!event.target.checked)}
              />
              <span>
                <b><Named message={keepsGuests ? texts.keepsGuests : texts.revokesGuests} name={guestNames} /></b>
              </span>
            </label>
          )}
        </Confirm>
      )}
    </li>
  );
}
