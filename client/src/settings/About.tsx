// Segmance's description, version and licence, and the library's status.

import { useEffect, useState } from 'react';
import { useLibraryStatus, useOffline } from '../services/services';
import { formatWaiting } from '../status/formatWaiting';
import { apiAddress } from '../apiAddress';
import { ask } from '../sync/ask';
import { Button } from '../ui/Button';
import { Mark } from '../ui/Icon';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

/** The last group of the settings. */
export function About(): JSX.Element {
  const [version, setVersion] = useState('');
  const [problems, setProblems] = useState<readonly string[]>([]);
  useEffect(() => {
    const gone = new AbortController();
    ask('GET', apiAddress.health, { signal: gone.signal })
      .then(({ value }) => {
        const health = value as { version?: string; problems?: string[] } | null;
        // The server tells a device without access only its status.
        setVersion(health?.version ?? '');
        setProblems(health?.problems ?? []);
      })
      // Without a server there is no version; the line below reports that it does not answer.
      .catch(() => undefined);
    return () => gone.abort();
  }, []);
  const { settings } = lateWords;
  return (
    <>
      <div className="about" data-testid="about">
        <Mark size={56} />
        <p>
          <b>{settings.appVersion(version)}</b>
          <br />
          {settings.aboutApp}
          <br />
          {settings.licence}
        </p>
      </div>
      <ConnectionNote />
      {problems.map((problem) => <p key={problem} className="small-note" role="status">{problem}</p>)}
    </>
  );
}

function ConnectionNote(): JSX.Element {
  const { online, waiting } = useLibraryStatus();
  const { update, waitingFiles } = useOffline();
  const { settings } = lateWords;
  const server = online ? settings.connected : settings.notConnected;
  const waits = formatWaiting(waiting, waitingFiles);
  const saved = waits === '' ? settings.allSaved : settings.stillToSend(waits);
  return (
    <>
      <p className="small-note" role="status" data-testid="standing">{`${server} ${saved}`}</p>
      {update && <Button icon="spark" onClick={update}>{`${words.status.newVersion} ${words.status.reload}`}</Button>}
    </>
  );
}
