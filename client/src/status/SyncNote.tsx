// Shows the library's sync status if there is something to report.

import { useState, useSyncExternalStore } from 'react';
import { formatWaiting } from './formatWaiting';
import { Confirm } from '../ui/Confirm';
import { Icon } from '../ui/Icon';
import { useLibraryStatus, useOffline, useServices } from '../services/services';
import { words } from '../words/words';
import { leadNote } from './lazy';
import './syncNote.css';

/** A line above the page: offline, pending changes, storage problems, a new version. */
export function SyncNote(): JSX.Element {
  const { library, navigation, leads } = useServices();
  const hasLeads = useSyncExternalStore(leads.subscribe, () => leads.told.size > 0);
  const { online, waiting, problem, loaded, rejected, unpaired, another } = useLibraryStatus();
  const [asks, setAsks] = useState(false);
  const { update, waitingFiles } = useOffline();
  const { status } = words;
  const sentence = problem ?? (online || another || !loaded ? null : offlineSentence(formatWaiting(waiting, waitingFiles)));
  return (
    <div role="status" className="sync-note-holder">
      {hasLeads && <leadNote.Page />}
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
          <span>{status.unpaired}</span>
        </button>
      )}
      {another && (
        <button
          type="button" className="sync-note is-refused" data-testid="another-note"
          onClick={() => setAsks(true)}
        >
          <Icon name="warning" size={20} />
          <span>{status.another}</span>
        </button>
      )}
      {asks && (
        <Confirm
          title={status.useAnother} action={status.useIt} onConfirm={() => library.takeAnother()}
          onClose={() => setAsks(false)}
        >
          {status.useAnotherWhy}
          {waiting > 0 && ` ${status.useAnotherSends(status.changes(waiting))}`}
        </Confirm>
      )}
      {update && (
        <button type="button" className="sync-note is-update" data-testid="update-note" onClick={update}>
          <Icon name="spark" size={20} />
          <span>{status.newVersion} <b>{status.reload}</b></span>
        </button>
      )}
      {rejected.length > 0 && (
        <button
          type="button" className="sync-note is-refused" data-testid="rejected-note"
          onClick={() => navigation.go({ page: 'settings' })}
        >
          <Icon name="warning" size={20} />
          <span>{status.refused(rejected.length)}</span>
        </button>
      )}
    </div>
  );
}

function offlineSentence(waits: string): string {
  return waits === '' ? words.status.offline : words.status.offlineWaiting(waits);
}
