// The subpages for what practising begins with: appearance, countdown, player.

import type { TickSound } from '../audio/player';
import { CountdownRepeats, CountdownSeconds } from '../player/CountdownSheet';
import { Dial } from '../player/Dial';
import { useServices, useSetting } from '../services/services';
import type { Settings } from '../sync/settings';
import { Choices, type Choice } from '../ui/Choices';
import { remember, remembered } from '../ui/device';
import { languages } from '../words/language';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { SettingsSubpage } from './SettingsSubpage';

export const themes: readonly Choice<Settings['theme']>[] = [
  { value: 'system', label: 'System', icon: 'system' },
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
];

export const sounds: readonly Choice<TickSound>[] = [
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

/** Light or dark, and the language, which belongs to the device: people who share a library may differ. */
export function AppearancePage(): JSX.Element {
  const { library } = useServices();
  const theme = useSetting('theme');
  const chosenLanguage = remembered('language') ?? '';
  return (
    <SettingsSubpage title="Appearance">
      <div className="settings-group">
        <Choices
          legend="Theme" value={theme} testId="theme" choices={themes}
          onChoose={(value) => library.set('theme', value)}
        />
        <Choices
          legend={lateWords.settings.language} value={chosenLanguage} testId="language"
          choices={[
            { value: '', label: lateWords.settings.languageOfSystem },
            ...languages.map(({ value, name }) => ({ value: value as string, label: name })),
          ]}
          onChoose={(value) => {
            remember('language', value);
            // The words are read when they are shown: a page that is open would mix two languages.
            window.location.reload();
          }}
        />
      </div>
    </SettingsSubpage>
  );
}

/** The countdown of parts without one of their own. */
export function CountdownPage(): JSX.Element {
  const { library, player } = useServices();
  const sound = useSetting('countdownSound');
  const volume = useSetting('countdownVolume');
  const seconds = useSetting('countdownSeconds');
  return (
    <SettingsSubpage title="Countdown">
      <div className="settings-group">
        <p className="settings-standing">For every part that has no countdown of its own.</p>
        <CountdownSeconds seconds={seconds} onChange={(value) => library.set('countdownSeconds', value)} />
        <CountdownRepeats />
        <Choices
          legend="Sound" value={sound} choices={sounds} testId="countdown-sound"
          onChoose={(value) => {
            player.previewTick(value, volume);
            library.set('countdownSound', value);
          }}
        />
        <p className="choices-legend" aria-hidden="true">{lateWords.settings.countdownVolume}</p>
        <Dial
          label={lateWords.settings.countdownVolume} name="countdown-volume" value={volume} least={0} most={125}
          grain={5} presets={[25, 50, 75, 100, 125]} text={percentText}
          onChange={(value) => {
            player.previewTick(sound, value);
            library.set('countdownVolume', value);
          }}
        />
      </div>
    </SettingsSubpage>
  );
}

/** The buttons of the player. */
export function PlayerPage(): JSX.Element {
  const { library } = useServices();
  const seekStep = useSetting('seekStepSeconds');
  return (
    <SettingsSubpage title="Player">
      <div className="settings-group">
        <Choices
          legend="Back and forward by" value={seekStep} choices={steps} testId="seek-step"
          onChoose={(value) => library.set('seekStepSeconds', value)}
        />
      </div>
    </SettingsSubpage>
  );
}
