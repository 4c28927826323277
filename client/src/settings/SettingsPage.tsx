// The third tab: the library's content, what is set, exports, help; each row with its value.

import type { ReactNode } from 'react';
import type { SettingsSection } from '../services/routes';
import { useFromLibrary, useOverlay, useServices, useSetting } from '../services/services';
import { UsageGuide } from '../guide/UsageGuide';
import { Welcome } from '../guide/Welcome';
import { countdownText } from '../parts/practiceSettings';
import type { Choice } from '../ui/Choices';
import { AppearancePage, CountdownPage, PlayerPage, sounds, themes } from './PracticePages';
import { StoragePage } from './StoragePage';
import { remember } from '../ui/device';
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
    case 'appearance':
      return <AppearancePage />;
    case 'countdown':
      return <CountdownPage />;
    case 'player':
      return <PlayerPage />;
    case 'guide':
      return <SettingsSubpage title="Usage guide"><UsageGuide /></SettingsSubpage>;
    default:
      return <AllSettings />;
  }
}

function AllSettings(): JSX.Element {
  const { library, navigation } = useServices();
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
        <Group title="Practice">
          <ul className="rows">
            <SubpageRow
              room="countdown" icon="timer" label="Countdown"
              aside={countdown === 0 ? countdownText(0) : `${countdownText(countdown)} · ${labelOf(sounds, sound)}`}
            />
            <SubpageRow room="player" icon="play" label="Player" aside={`${seekStep} s`} />
            <SubpageRow room="appearance" icon="moon" label="Appearance" aside={labelOf(themes, theme)} />
          </ul>
        </Group>
        <Group title="Phones and other devices">
          <ul className="rows">
            <SubpageRow room="devices" icon="phone" label="Devices" />
          </ul>
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
                remember('tip', '');
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

const labelOf = <V extends string>(choices: readonly Choice<V>[], value: V): string => (
  choices.find((choice) => choice.value === value)?.label ?? ''
);

function Group({ title, children }: { title: string; children: ReactNode }): JSX.Element {
  return (
    <section className="settings-group" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
