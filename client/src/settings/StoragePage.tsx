// The data that Segmance stores on this device, and how to delete it.

import { useEffect, useState, useSyncExternalStore } from 'react';
import { useFromLibrary, useOffline, useServices } from '../services/services';
import { Button, IconButton } from '../ui/Button';
import { Choices } from '../ui/Choices';
import { Confirm } from '../ui/Confirm';
import { ProgressBar } from '../ui/ProgressBar';
import { saveFile } from '../ui/save';
import { fileSize } from '../ui/text';
import { SettingsSubpage } from './SettingsSubpage';
import { InstallSteps, useInstallWay } from '../install/InstallHint';
import { keepingWords } from '../status/KeptBadge';
import { budgets, type Keeper } from '../offline/keeper';
import type { WaitingFile } from '../offline/database';
import type { OfflineWork } from '../offline/work';
import './storage.css';
import { measureApp } from './measureApp';
import { formatWaiting } from '../status/formatWaiting';

interface StorageUsage {
  readonly used: number;
  readonly room: number | null;
  readonly app: number;
  readonly isLasting: boolean;
}

/** The page. */
export function StoragePage(): JSX.Element {
  const services = useServices();
  const { kept, waitingFiles } = useOffline();
  const waiting = useFromLibrary((library) => library.status.waiting);
  /** Undefined until it is known whether it is available. */
  const [work, setWork] = useState<OfflineWork | null | undefined>(undefined);
  const [standing, setStanding] = useState<StorageUsage | null>(null);
  const [measured, setMeasured] = useState(0);
  useEffect(() => {
    let isHere = true;
    // Without it the page shows that nothing is stored.
    services.offline.work().then((done) => isHere && setWork(done), () => isHere && setWork(null));
    return () => {
      isHere = false;
    };
  }, [services]);
  useEffect(() => {
    let isHere = true;
    void measure().then((now) => isHere && setStanding(now));
    return () => {
      isHere = false;
    };
  }, [kept, measured]);

  // Earlier presses would have no effect.
  if (work === undefined) return <SettingsSubpage title="Storage"><p aria-busy="true">Measuring…</p></SettingsSubpage>;
  const keeper = work?.keeper ?? null;
  const left = [...work?.waiting?.left.values() ?? []];
  const use = keeper?.use() ?? { kept: 0, recent: 0 };
  const waits = formatWaiting(waiting, waitingFiles);
  const again = (): void => setMeasured((count) => count + 1);
  return (
    <SettingsSubpage title="Storage">
      <div className="storage">
        <Total standing={standing} />
        <section aria-label="Kept routines">
          <h2>{`Kept routines, ${fileSize(use.kept)}`}</h2>
          {kept.size === 0
            ? <p>The menu of a routine keeps it on this device: its songs and videos can then be practised without a network.</p>
            : (
              <ul className="rows">
                {[...kept.keys()].map((id) => <KeptRow key={id} routineId={id} keeper={keeper} onChange={again} />)}
              </ul>
            )}
        </section>
        <section aria-label="Recently practised">
          <h2>{`Recently practised, ${fileSize(use.recent)}`}</h2>
          <p>Parts that you practise stay here by themselves. Those practised longest ago make room for others.</p>
          <Choices
            legend="At most" testId="storage-budget" value={keeper?.budget ?? 0}
            choices={budgets.map((value) => ({ value: value as number, label: value === 0 ? 'None' : fileSize(value) }))}
            onChoose={(bytes) => {
              if (keeper) keeper.budget = bytes;
              again();
            }}
          />
          {use.recent > 0 && (
            <Button icon="trash" data-testid="forget-recent" onClick={() => void keeper?.forgetRecent().then(again)}>
              Free this
            </Button>
          )}
        </section>
        {waits !== '' && (
          <section aria-label="Waiting">
            <h2>Waiting</h2>
            <p data-testid="storage-waiting">{`${waits} waiting here for the server, to be sent by itself.`}</p>
          </section>
        )}
        {left.length > 0 && (
          <section aria-label="Without a place">
            <h2>Without a place</h2>
            <p>The routine or part that these were picked for is not on this device. They wait until it is.</p>
            <ul className="rows">
              {left.map((file) => (
                <LeftRow key={file.id} file={file} onRemove={() => void work?.waiting?.throwAway(file.id).then(again)} />
              ))}
            </ul>
          </section>
        )}
        <Lasting standing={standing} onChange={again} />
        <OnHomeScreen />
      </div>
    </SettingsSubpage>
  );
}

function Total({ standing }: { standing: StorageUsage | null }): JSX.Element {
  if (!standing) return <p aria-busy="true">Measuring…</p>;
  const { used, room, app } = standing;
  return (
    <section aria-label="In use">
      <p className="storage-total" data-testid="storage-total">
        <b>{fileSize(used)}</b>
        {room === null ? ' in use on this device' : ` in use, of ${fileSize(room)} that this browser allows`}
      </p>
      {room !== null && <ProgressBar percent={Math.min(100, (used / room) * 100)} label="Storage in use" />}
      <p>{`The app itself takes ${fileSize(app)}; texts and the order of things take the rest.`}</p>
    </section>
  );
}

function KeptRow({ routineId, keeper, onChange }: {
  routineId: string; keeper: Keeper | null; onChange: () => void;
}): JSX.Element | null {
  const { offline } = useServices();
  const keeping = useSyncExternalStore(offline.subscribe, () => offline.state.kept.get(routineId));
  const title = useFromLibrary((library) => library.get('routine', routineId)?.title);
  if (!keeping || title === undefined) return null;
  const { bytes, total, problem, state } = keeping;
  const size = state === 'kept' ? fileSize(bytes) : `${fileSize(bytes)} of about ${fileSize(total)}`;
  return (
    <li className="row-holder" data-testid="kept-row" data-state={state}>
      <div className="row is-still">
        <span className="row-text">
          <b dir="auto">{title}</b>
          <small>{`${keepingWords(keeping)}, ${size}${problem === null ? '' : `. ${problem}`}`}</small>
          {state === 'keeping' && <ProgressBar percent={total > 0 ? (bytes / total) * 100 : 0} label={`Keeping ${title}`} />}
        </span>
      </div>
      {state === 'keeping' && (
        <IconButton icon="pause" label={`Stop keeping ${title} for now`} onClick={() => void keeper?.pause(routineId)} />
      )}
      {state === 'partly' && (
        <IconButton
          icon="download" label={`Go on keeping ${title}`} data-testid="kept-go-on"
          onClick={() => void keeper?.keep(routineId)}
        />
      )}
      <IconButton
        icon="trash" label={`Remove ${title} from this device`} data-testid="kept-remove"
        onClick={() => void keeper?.release(routineId).then(onChange)}
      />
    </li>
  );
}

function LeftRow({ file: { name, file }, onRemove }: { file: WaitingFile; onRemove: () => void }): JSX.Element {
  const [asks, setAsks] = useState(false);
  return (
    <li className="row-holder" data-testid="left-row">
      <div className="row is-still">
        <span className="row-text">
          <b dir="auto">{name}</b>
          <small>{fileSize(file.size)}</small>
        </span>
      </div>
      <IconButton icon="download" label={`Save ${name}`} data-testid="left-save" onClick={() => saveFile(name, file)} />
      <IconButton icon="trash" label={`Remove ${name}`} data-testid="left-remove" onClick={() => setAsks(true)} />
      {asks && (
        <Confirm title={`Remove “${name}”?`} action="Remove" onConfirm={onRemove} onClose={() => setAsks(false)}>
          The server does not have it.
        </Confirm>
      )}
    </li>
  );
}

function Lasting({ standing, onChange }: { standing: StorageUsage | null; onChange: () => void }): JSX.Element {
  if (standing?.isLasting) {
    return <p data-testid="storage-lasting">The browser has promised not to clear any of this by itself.</p>;
  }
  return (
    <section aria-label="Not promised">
      <p data-testid="storage-lasting">
        The browser may clear this when the device runs short of room, some browsers after a week without a visit. What was
        not sent to the server would be lost. Installed on the home screen it stays.
      </p>
      <Button onClick={() => void navigator.storage?.persist?.().then(onChange)}>Ask the browser to keep it</Button>
    </section>
  );
}

function OnHomeScreen(): JSX.Element | null {
  const way = useInstallWay();
  if (way.kind === 'none') return null;
  return (
    <section aria-label="On the home screen" data-testid="storage-install">
      <h2>On the home screen</h2>
      {way.kind === 'installed' ? <p>Segmance is installed on this device.</p> : <p><InstallSteps way={way} /></p>}
    </section>
  );
}

async function measure(): Promise<StorageUsage> {
  const [estimate, isLasting, app] = await Promise.all([
    navigator.storage?.estimate?.() ?? {}, navigator.storage?.persisted?.() ?? false, measureApp(),
  ]);
  return { used: estimate.usage ?? 0, room: estimate.quota ?? null, app, isLasting };
}
