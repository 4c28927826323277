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
import { Named } from '../ui/Named';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

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
  const { settings } = lateWords;
  if (work === undefined) {
    return <SettingsSubpage title={settings.storage}><p aria-busy="true">{settings.measuring}</p></SettingsSubpage>;
  }
  const keeper = work?.keeper ?? null;
  const left = [...work?.waiting?.left.values() ?? []];
  const use = keeper?.use() ?? { kept: 0, recent: 0 };
  const waits = formatWaiting(waiting, waitingFiles);
  const again = (): void => setMeasured((count) => count + 1);
  return (
    <SettingsSubpage title={settings.storage}>
      <div className="storage">
        <Total standing={standing} />
        <section aria-label={settings.keptRoutines}>
          <h2>{settings.keptRoutinesSize(fileSize(use.kept))}</h2>
          {kept.size === 0
            ? <p>{settings.keepHow}</p>
            : (
              <ul className="rows">
                {[...kept.keys()].map((id) => <KeptRow key={id} routineId={id} keeper={keeper} onChange={again} />)}
              </ul>
            )}
        </section>
        <section aria-label={settings.recent}>
          <h2>{settings.recentSize(fileSize(use.recent))}</h2>
          <p>{settings.recentHow}</p>
          <Choices
            legend={settings.atMost} testId="storage-budget" value={keeper?.budget ?? 0}
            choices={budgets.map((value) => ({ value: value as number, label: value === 0 ? settings.none : fileSize(value) }))}
            onChoose={(bytes) => {
              if (keeper) keeper.budget = bytes;
              again();
            }}
          />
          {use.recent > 0 && (
            <Button icon="trash" data-testid="forget-recent" onClick={() => void keeper?.forgetRecent().then(again)}>
              {settings.forgetRecent(fileSize(use.recent))}
            </Button>
          )}
        </section>
        {waits !== '' && (
          <section aria-label={settings.waiting}>
            <h2>{settings.waiting}</h2>
            <p data-testid="storage-waiting">{settings.waitingHere(waits)}</p>
          </section>
        )}
        {left.length > 0 && (
          <section aria-label={settings.withoutPlace}>
            <h2>{settings.withoutPlace}</h2>
            <p>{settings.withoutPlaceWhy}</p>
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
  const { settings } = lateWords;
  if (!standing) return <p aria-busy="true">{settings.measuring}</p>;
  const { used, room, app } = standing;
  return (
    <section aria-label={settings.inUse}>
      <p className="storage-total" data-testid="storage-total">
        <b>{fileSize(used)}</b>
        {` ${room === null ? settings.usedHere : settings.usedOf(fileSize(room))}`}
      </p>
      {room !== null && <ProgressBar percent={Math.min(100, (used / room) * 100)} label={settings.storageUsed} />}
      <p>{settings.appSize(fileSize(app))}</p>
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
  const { settings } = lateWords;
  const { bytes, total, problem, state } = keeping;
  const size = state === 'kept' ? fileSize(bytes) : settings.sizeOf(fileSize(bytes), fileSize(total));
  return (
    <li className="row-holder" data-testid="kept-row" data-state={state}>
      <div className="row is-still">
        <span className="row-text">
          <b dir="auto">{title}</b>
          <small>{`${keepingWords(keeping)}, ${size}${problem === null ? '' : `. ${problem}`}`}</small>
          {state === 'keeping' && <ProgressBar percent={total > 0 ? (bytes / total) * 100 : 0} label={settings.keepingRoutine(title)} />}
        </span>
      </div>
      {state === 'keeping' && (
        <IconButton icon="pause" label={settings.pauseRoutine(title)} onClick={() => void keeper?.pause(routineId)} />
      )}
      {state === 'partly' && (
        <IconButton
          icon="download" label={settings.resumeRoutine(title)} data-testid="kept-go-on"
          onClick={() => void keeper?.keep(routineId)}
        />
      )}
      <IconButton
        icon="trash" label={settings.removeFromHere(title)} data-testid="kept-remove"
        onClick={() => void keeper?.release(routineId).then(onChange)}
      />
    </li>
  );
}

function LeftRow({ file: { name, file }, onRemove }: { file: WaitingFile; onRemove: () => void }): JSX.Element {
  const { settings } = lateWords;
  const [asks, setAsks] = useState(false);
  return (
    <li className="row-holder" data-testid="left-row">
      <div className="row is-still">
        <span className="row-text">
          <b dir="auto">{name}</b>
          <small>{fileSize(file.size)}</small>
        </span>
      </div>
      <IconButton icon="download" label={settings.saveFile(name)} data-testid="left-save" onClick={() => saveFile(name, file)} />
      <IconButton icon="trash" label={settings.removeFile(name)} data-testid="left-remove" onClick={() => setAsks(true)} />
      {asks && (
        <Confirm
          title={<Named message={settings.removeQuestion} name={name} />} action={words.common.remove}
          onConfirm={onRemove} onClose={() => setAsks(false)}
        >
          {settings.notOnServer}
        </Confirm>
      )}
    </li>
  );
}

function Lasting({ standing, onChange }: { standing: StorageUsage | null; onChange: () => void }): JSX.Element {
  const { settings } = lateWords;
  if (standing?.isLasting) {
    return <p data-testid="storage-lasting">{settings.lasting}</p>;
  }
  return (
    <section aria-label={settings.notLasting}>
      <p data-testid="storage-lasting">
        {settings.notLastingWhy}
      </p>
      <Button onClick={() => void navigator.storage?.persist?.().then(onChange)}>{settings.askToKeep}</Button>
    </section>
  );
}

function OnHomeScreen(): JSX.Element | null {
  const { settings } = lateWords;
  const way = useInstallWay();
  if (way.kind === 'none') return null;
  return (
    <section aria-label={settings.homeScreen} data-testid="storage-install">
      <h2>{settings.homeScreen}</h2>
      {way.kind === 'installed' ? <p>{settings.installed}</p> : <p><InstallSteps way={way} /></p>}
    </section>
  );
}

async function measure(): Promise<StorageUsage> {
  const [estimate, isLasting, app] = await Promise.all([
    navigator.storage?.estimate?.() ?? {}, navigator.storage?.persisted?.() ?? false, measureApp(),
  ]);
  return { used: estimate.usage ?? 0, room: estimate.quota ?? null, app, isLasting };
}
