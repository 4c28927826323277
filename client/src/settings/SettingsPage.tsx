// The third tab: the library's content, what is set, exports, help; each row with its value.

import type { ReactNode } from 'react';
import type { SettingsSection } from '../services/routes';
import { useFromLibrary, useLibraryStatus, useOverlay, useServices, useSetting } from '../services/services';
import { useEditable } from '../services/useEditable';
import { UsageGuide } from '../guide/UsageGuide';
import { Welcome } from '../guide/Welcome';
import { SoundDelay, useLatencyText } from '../latency/SoundDelay';
import { countdownText } from '../parts/practiceSettings';
import { NotifyDevice, useDevicePush } from '../notifications/NotifyDevice';
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
import { PracticeLogPage } from './PracticeLogPage';
import { RefusedChanges } from './RefusedChanges';
import { SettingsSubpage } from './SettingsSubpage';
import { AllRoutinesPage } from './AllRoutinesPage';
import { ButtonRow, SubpageRow } from './Rows';
import { languages } from '../words/language';
import { lateWords } from '../words/lateWords';
import { language, words } from '../words/words';
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
    case 'sound-delay':
      return <SettingsSubpage title={lateWords.latency.title}><SoundDelay /></SettingsSubpage>;
    case 'notifications':
      return <SettingsSubpage title={lateWords.notifications.title}><NotifyDevice /></SettingsSubpage>;
    case 'practice-log':
      return <PracticeLogPage />;
    case 'guide':
      return <SettingsSubpage title={lateWords.settings.guide}><UsageGuide /></SettingsSubpage>;
    default:
      return <AllSettings />;
  }
}

function AllSettings(): JSX.Element {
  const { library, navigation } = useServices();
  const [isExporting, openExport, closeExport] = useOverlay('export');
  const [isWelcoming, openWelcome, closeWelcome] = useOverlay('welcome');
  const routines = useFromLibrary((current) => current.all('routine').length);
  const types = useEditable('moveType').length;
  const media = useEditable('track').length + useEditable('video').length;
  const theme = useSetting('theme');
  const sound = useSetting('countdownSound');
  const seekSeconds = useSetting('seekStepSeconds');
  const seekUnit = useSetting('seekUnit');
  const countdown = useSetting('countdownSeconds');
  const { people } = useLibraryStatus();
  const groups = useFromLibrary((current) => current.spaces.length);
  const latency = useLatencyText();
  const notified = useDevicePush();
  const { settings } = lateWords;
  return (
    <>
      <header className="page-head"><h1>{words.common.settings}</h1></header>
      <RefusedChanges />
      <div className="settings">
        <Group title={settings.browse}>
          <ul className="rows">
            <SubpageRow room="routines" icon="routines" label={words.common.routines} aside={routines} />
            <SubpageRow room="move-types" icon="type" label={settings.moveTypes} aside={types} />
            <SubpageRow room="media" icon="audio" label={settings.mediaLibrary} aside={media} />
            <SubpageRow room="storage" icon="device" label={settings.storage} />
          </ul>
        </Group>
        <Group title={settings.practice}>
          <ul className="rows">
            <SubpageRow
              room="countdown" icon="timer" label={settings.countdown}
              aside={countdown === 0 ? countdownText(0) : `${countdownText(countdown)} · ${labelOf(sounds(), sound)}`}
            />
            <SubpageRow room="player" icon="play" label={settings.player} aside={seekUnit === 'eight' ? settings.anEight : `${seekSeconds} s`} />
            <SubpageRow room="sound-delay" icon="audio" label={lateWords.latency.title} aside={latency} />
            <SubpageRow room="practice-log" icon="history" label={lateWords.practiceLog.title} />
            <SubpageRow
              room="appearance" icon="moon" label={settings.appearance}
              aside={`${labelOf(themes(), theme)} · ${languages.find(({ value }) => value === language)?.name ?? ''}`}
            />
          </ul>
        </Group>
        <Group title={settings.otherDevices}>
          <ul className="rows">
            <SubpageRow room="devices" icon="phone" label={settings.devices} />
            {(people || library.isOwners) && (
              <SubpageRow room="people" icon="people" label={!people ? lateWords.people.add : library.isOwners ? lateWords.people.people : lateWords.people.me} />
            )}
            {people && <SubpageRow room="groups" icon="people" label={lateWords.people.groups} aside={groups} />}
            {people && notified.isOffered && (
              <SubpageRow
                room="notifications" icon="comment" label={lateWords.notifications.title}
                aside={notified.level === null ? lateWords.notifications.isOff : lateWords.notifications.isOn}
              />
            )}
          </ul>
        </Group>
        <Group title={settings.export}>
          <ul className="rows">
            <ButtonRow
              icon="download" label={settings.exportAll} use={settings.exportForms}
              testId="export-all" onClick={openExport}
            />
          </ul>
        </Group>
        {library.isOwners && <Group title={settings.backup}><Backups /></Group>}
        <Group title={settings.help}>
          <ul className="rows">
            <SubpageRow room="guide" icon="guide" label={settings.guide} />
            <ButtonRow icon="keyboard" label={settings.keys} testId="show-keys" onClick={() => navigation.open('keys')} />
            <ButtonRow icon="spark" label={settings.welcome} use={settings.welcomeUse} testId="show-welcome" onClick={openWelcome} />
            <ButtonRow
              icon="retry" label={settings.showTips} testId="show-tips"
              onClick={() => {
                library.set('tipsSeen', '');
                remember('tip', '');
                toasts.say(settings.tipsShown);
              }}
            />
          </ul>
        </Group>
        <Group title={settings.about}><About /></Group>
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
