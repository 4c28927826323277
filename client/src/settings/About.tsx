// Segmance's description, version and licence, and the library's status.

import { useEffect, useState } from 'react';
import { useLibraryStatus, useOffline } from '../services/services';
import { formatWaiting } from '../status/formatWaiting';
import { apiAddress } from '../apiAddress';
import { ask } from '../sync/ask';
import { Button } from '../ui/Button';
import { Mark } from '../ui/Icon';

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
  return (
    <>
      <div className="about" data-testid="about">
        <Mark size={56} />
        <p>
          <b>{`Segmance ${version}`}</b>
          <br />
          A practice studio for performers. Your songs and routines stay on your own server.
          <br />
          Free software under the MIT licence.
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
  const server = online ? 'The server answers.' : 'The server does not answer.';
  const waits = formatWaiting(waiting, waitingFiles);
  const saved = waits === '' ? 'Everything is saved there.' : `${waits} still to be sent.`;
  return (
    <>
      <p className="small-note" role="status" data-testid="standing">{`${server} ${saved}`}</p>
      {update && <Button icon="spark" onClick={update}>New version: reload</Button>}
    </>
  );
}
