// Says how the library stands with the server, only when there is something to say.

import { Icon } from '../ui/Icon';
import { plural } from '../ui/time';
import { useLibraryStatus, useServices } from './services';
import './syncNote.css';

/** A line above the page: offline, waiting edits, trouble with the browser's storage. */
export function SyncNote(): JSX.Element {
  const { navigation } = useServices();
  const { online, waiting, problem, loaded, rejected } = useLibraryStatus();
  const sentence = problem ?? (online || !loaded ? null : offlineSentence(waiting));
  return (
    <div role="status" className="sync-note-holder">
      {sentence !== null && (
        <p className="sync-note" data-testid="sync-note">
          <Icon name={problem === null ? 'offline' : 'warning'} size={20} />
          <span>{sentence}</span>
        </p>
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

function offlineSentence(waiting: number): string {
  return waiting > 0
    ? `Offline. ${plural(waiting, 'change')} kept here until the server answers.`
    : 'Offline. What you do is kept here.';
}
