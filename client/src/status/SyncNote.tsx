// Shows the library's sync status if there is something to report.

import { useState } from 'react';
import { formatWaiting } from './formatWaiting';
import { Confirm } from '../ui/Confirm';
import { Icon } from '../ui/Icon';
import { plural } from '../ui/time';
import { useLibraryStatus, useOffline, useServices } from '../services/services';
import './syncNote.css';

/** A line above the page: offline, pending changes, storage problems, a new version. */
export function SyncNote(): JSX.Element {
  const { library, navigation } = useServices();
  const { online, waiting, problem, loaded, rejected, unpaired, another } = useLibraryStatus();
  const [asks, setAsks] = useState(false);
  const { update, waitingFiles } = useOffline();
  const sentence = problem ?? (online || another || !loaded ? null : offlineSentence(formatWaiting(waiting, waitingFiles)));
  return (
    <div role="status" className="sync-note-holder">
      {sentence !== null && (
        <p className="sync-note" data-testid="sync-note">
          <Icon name={problem === null ? 'offline' : 'warning'} size={20} />
          <span>{sentence}</span>
        </p>
      )}
      {unpaired && (
        <button
          type="button" className="sync-note is-refused" data-testid="unpaired-note"
          onClick={() => navigation.go({ page: 'pair', token: '' })}
        >
          <Icon name="warning" size={20} />
          <span>This device is not paired. What you do is kept here. Pair it again.</span>
        </button>
      )}
      {another && (
        <button
          type="button" className="sync-note is-refused" data-testid="another-note"
          onClick={() => setAsks(true)}
        >
          <Icon name="warning" size={20} />
          <span>Another library answers here. What you do is kept on this device. What now?</span>
        </button>
      )}
      {asks && (
        <Confirm
          title="Use the other library?" action="Use it" onConfirm={() => library.takeAnother()}
          onClose={() => setAsks(false)}
        >
          {`Start the server of your own library, and all goes on. Else the other one takes its place on this device${
            waiting > 0 ? `, and gets what waits (${plural(waiting, 'change')})` : ''}.`}
        </Confirm>
      )}
      {update && (
        <button type="button" className="sync-note is-update" data-testid="update-note" onClick={update}>
          <Icon name="spark" size={20} />
          <span>New version: <b>reload</b></span>
        </button>
      )}
      {rejected.length > 0 && (
        <button
          type="button" className="sync-note is-refused" data-testid="rejected-note"
          onClick={() => navigation.go({ page: 'settings' })}
        >
          <Icon name="warning" size={20} />
          <span>{`${plural(rejected.length, 'change')} could not be saved. See why.`}</span>
        </button>
      )}
    </div>
  );
}

function offlineSentence(waits: string): string {
  return waits === '' ? 'Offline. What you do is kept here.' : `Offline: ${waits} waiting`;
}
