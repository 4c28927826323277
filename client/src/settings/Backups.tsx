// Download and restore of a backup, and the state of the scheduled backups.

import { useEffect, useState } from 'react';
import { useLibraryStatus, useOffline, useOverlay, useServices } from '../services/services';
import { formatWaiting } from '../status/formatWaiting';
import { apiAddress } from '../apiAddress';
import { ask } from '../sync/ask';
import { reasonOf } from '../sync/requests';
import { Icon } from '../ui/Icon';
import { toasts } from '../ui/toasts';
import { fileSize } from '../ui/text';
import { dateText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { RestoreSheet } from './RestoreSheet';
import { ButtonRow } from './Rows';

/** The answer to `GET /api/backups`. */
interface BackupStatus {
  readonly bytes: number;
  readonly scheduled?: {
    readonly folder: string;
    readonly everyHours?: number;
    readonly keep: number;
    readonly count: number;
    readonly lastAt?: number;
    readonly lastBytes?: number;
    readonly problem?: string;
    readonly job?: string;
  };
}

const lookAgainMilliseconds = 5_000;

/** The group's content. */
export function Backups(): JSX.Element {
  const { library } = useServices();
  const { online, waiting } = useLibraryStatus();
  const { waitingFiles } = useOffline();
  const waits = formatWaiting(waiting, waitingFiles);
  const [standing, look] = useBackupStatus();
  const [isRestoring, openRestore, closeRestore] = useOverlay('restore');
  // The server makes the backup, so it should have the latest edits.
  useEffect(() => void library.refresh(), [library]);
  const { settings } = lateWords;
  const size = standing ? settings.backUpSize(fileSize(standing.bytes)) : settings.backUpUse;
  const scheduled = standing?.scheduled;
  const backUpNow = (): void => {
    ask('POST', apiAddress.backups)
      .then(() => {
        toasts.say(settings.backupRunning);
        look();
      })
      .catch((failure) => toasts.say(reasonOf(failure), { kind: 'problem' }));
  };
  return (
    <>
      <ul className="rows">
        <li>
          <a className="row" href={apiAddress.backup} download="" data-testid="backup">
            <Icon name="download" />
            <span className="row-text"><b>{settings.backUp}</b><small>{size}</small></span>
          </a>
        </li>
        {scheduled && (
          <ButtonRow
            icon="check" label={settings.backUpNow} use={scheduled.folder} testId="backup-now"
            onClick={backUpNow}
          />
        )}
        <ButtonRow
          icon="history" label={settings.restore} use={settings.restoreUse}
          testId="restore" onClick={openRestore}
        />
      </ul>
      {(!online || waits !== '') && (
        <p className="small-note" role="status" data-testid="backup-lacks">
          {!online && `${settings.backupNeedsServer} `}
          {waits !== '' && settings.backupLacks(waits)}
        </p>
      )}
      {scheduled && <p className="small-note" data-testid="backup-standing">{sentence(scheduled)}</p>}
      {scheduled?.problem && (
        <p className="small-note" role="alert" data-testid="backup-problem">{settings.backupFailed(scheduled.problem)}</p>
      )}
      {isRestoring && <RestoreSheet onClose={closeRestore} />}
    </>
  );
}

function sentence({ job, lastAt, lastBytes, everyHours, count, keep }: NonNullable<BackupStatus['scheduled']>): string {
  const { settings } = lateWords;
  if (job) return settings.backupRunning;
  const last = lastAt === undefined
    ? settings.noBackupYet : settings.lastBackup(dateText(lastAt, true), fileSize(lastBytes ?? 0));
  const every = everyHours === undefined ? [] : [settings.backupEvery(everyHours)];
  return [last, ...every, settings.backupsKept(count, keep)].join(' ');
}

/**
 * Reads the state of backups; again when the server reports one, and while one is being written.
 */
function useBackupStatus(): [standing: BackupStatus | null, look: () => void] {
  const { library } = useServices();
  const [standing, setStanding] = useState<BackupStatus | null>(null);
  const [looks, setLooks] = useState(0);
  const [answers, setAnswers] = useState(0);
  const isWorking = standing?.scheduled?.job !== undefined;
  useEffect(() => {
    const gone = new AbortController();
    ask('GET', apiAddress.backups, { signal: gone.signal })
      .then(({ value }) => {
        const answer = value as BackupStatus | null;
        if (typeof answer?.bytes === 'number') setStanding(answer);
      })
      // Without a server nothing is known; the rows report that it does not answer.
      .catch(() => undefined)
      .finally(() => setAnswers((count) => count + 1));
    return () => gone.abort();
  }, [looks]);
  useEffect(() => {
    if (!isWorking) return undefined;
    const timer = setTimeout(() => setLooks((count) => count + 1), lookAgainMilliseconds);
    return () => clearTimeout(timer);
  }, [isWorking, answers]);
  useEffect(() => library.onJob(({ kind, state }) => {
    if (kind === 'backup' && (state !== 'running' || !isWorking)) setLooks((count) => count + 1);
  }), [library, isWorking]);
  return [standing, () => setLooks((count) => count + 1)];
}
