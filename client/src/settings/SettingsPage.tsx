// The third tab: the library's content, appearance, countdown and seeking, exports, help.

import type { ReactNode } from 'react';
import type { SettingsSection } from '../services/routes';
import { useFromLibrary, useOverlay, useServices, useSetting } from '../services/services';
import type { TickSound } from '../audio/player';
import { CountdownRepeats, countdownChoices, CountdownSeconds } from '../player/CountdownSheet';
import { UsageGuide } from '../guide/UsageGuide';
import { Welcome } from '../guide/Welcome';
import { StoragePage } from './StoragePage';
import { Choices } from '../ui/Choices';
import { toasts } from '../ui/toasts';
import { About } from './About';
import { Backups } from './Backups';
import { ExportSheet } from '../routines/ExportSheet';
import { MediaPage } from './MediaPage';
import { MoveTypesPage } from './MoveTypesPage';
import { RefusedChanges } from './RefusedChanges';
import { SettingsSubpage } from './SettingsSubpage';
import { AllRoutinesPage } from './AllRoutinesPage';
import { ButtonRow, SubpageRow } from './Rows';
import './settings.css';

const sounds: readonly { value: TickSound; label: string }[] = [
  { value: 'clave', label: 'Clave' },
  { value: 'piano', label: 'Piano' },
  { value: 'bongo', label: 'Bongo' },
  { value: 'kick', label: 'Kick' },
  { value: 'wood', label: 'Wood' },
  { value: 'tambourine', label: 'Tambourine' },
  { value: 'hiHat', label: 'Hi-hat' },
  { value: 'snap', label: 'Snap' },
];

const steps = [1, 2, 5, 10, 15, 30].map((value) => ({ value, label: `${value} s` }));

/** The settings, or one of their subpages. */
export function SettingsPage({ room }: { room?: SettingsSection | undefined }): JSX.Element {
  switch (room) {
    case 'routines':
      return <AllRoutinesPage />;
    case 'move-types':
      return <MoveTypesPage />;
    case 'media':
      return <MediaPage />;
    case 'storage':
      return <StoragePage />;
    case 'guide':
      return <SettingsSubpage title="Usage guide"><UsageGuide /></SettingsSubpage>;
    default:
      return <AllSettings />;
  }
}

function AllSettings(): JSX.Element {
  const { library, player, navigation } = useServices();
  const [isExporting, openExport, closeExport] = useOverlay('export');
  const [isWelcoming, openWelcome, closeWelcome] = useOverlay('welcome');
  const routines = useFromLibrary((current) => current.all('routine').length);
  const types = useFromLibrary((current) => current.all('moveType').length);
  const tracks = useFromLibrary((current) => current.all('track').length);
  const theme = useSetting('theme');
  const sound = useSetting('countdownSound');
  const seekStep = useSetting('seekStepSeconds');
  const countdown = useSetting('countdownSeconds');
  return (
    <>
      <header className="page-head"><h1>Settings</h1></header>
      <RefusedChanges />
      <div className="settings">
        <Group title="Browse">
          <ul className="rows">
            <SubpageRow room="routines" icon="routines" label="Routines" aside={routines} />
            <SubpageRow room="move-types" icon="type" label="Move types" aside={types} />
            <SubpageRow room="media" icon="audio" label="Media library" aside={tracks} />
            <SubpageRow room="storage" icon="device" label="Storage" />
          </ul>
        </Group>
        <Group title="Phones and other devices">
          <ul className="rows">
            <SubpageRow room="devices" icon="phone" label="Devices" />
          </ul>
        </Group>
        <Group title="Look">
          <Choices
            legend="Theme" value={theme} testId="theme"
            choices={[
              { value: 'system', label: 'System', icon: 'system' },
              { value: 'light', label: 'Light', icon: 'sun' },
              { value: 'dark', label: 'Dark', icon: 'moon' },
            ]}
            onChoose={(value) => library.set('theme', value)}
          />
        </Group>
        <Group title="Countdown">
          <Choices
            legend="Sound" value={sound} choices={sounds} testId="countdown-sound"
            onChoose={(value) => {
              player.previewTick(value);
              library.set('countdownSound', value);
            }}
          />
          <Choices
            legend="Length, unless a part has its own" value={countdown} choices={countdownChoices}
            testId="countdown-default" onChoose={(value) => library.set('countdownSeconds', value)}
          />
          <CountdownSeconds seconds={countdown} onChange={(value) => library.set('countdownSeconds', value)} />
          <CountdownRepeats />
        </Group>
        <Group title="Player">
          <Choices
            legend="Back and forward by" value={seekStep} choices={steps} testId="seek-step"
            onChoose={(value) => library.set('seekStepSeconds', value)}
          />
        </Group>
        <Group title="Export">
          <ul className="rows">
            <ButtonRow
              icon="download" label="Export all routines" use="Cue sheet, web page, Markdown, JSON"
              testId="export-all" onClick={openExport}
            />
          </ul>
        </Group>
        <Group title="Backup"><Backups /></Group>
        <Group title="Help">
          <ul className="rows">
            <SubpageRow room="guide" icon="guide" label="Usage guide" />
            <ButtonRow icon="keyboard" label="Keys" testId="show-keys" onClick={() => navigation.open('keys')} />
            <ButtonRow icon="spark" label="Welcome" use="The three pages of the beginning" testId="show-welcome" onClick={openWelcome} />
            <ButtonRow
              icon="retry" label="Show tips again" testId="show-tips"
              onClick={() => {
                library.set('tipsSeen', '');
                toasts.say('Tips appear again beside what they explain.');
              }}
            />
          </ul>
        </Group>
        <Group title="About"><About /></Group>
      </div>
      {isExporting && <ExportSheet onClose={closeExport} />}
      {isWelcoming && <Welcome onClose={closeWelcome} />}
    </>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }): JSX.Element {
  return (
    <section className="settings-group" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
