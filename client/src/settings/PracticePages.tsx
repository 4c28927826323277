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

/** The themes, named in the chosen language. */
export function themes(): readonly Choice<Settings['theme']>[] {
  const { themes: names } = lateWords.settings;
  return [
    { value: 'system', label: names.system, icon: 'system' },
    { value: 'light', label: names.light, icon: 'sun' },
    { value: 'dark', label: names.dark, icon: 'moon' },
  ];
}

const soundOrder: readonly TickSound[] = ['clave', 'piano', 'bongo', 'kick', 'wood', 'tambourine', 'hiHat', 'snap'];

/** The sounds of the countdown, named in the chosen language. */
export function sounds(): readonly Choice<TickSound>[] {
  return soundOrder.map((value) => ({ value, label: lateWords.settings.sounds[value] }));
}

const steps = [1, 2, 5, 10, 15, 30].map((value) => ({ value, label: `${value} s` }));

/** Light or dark, and the language, which belongs to the device: people who share a library may differ. */
export function AppearancePage(): JSX.Element {
  const { library } = useServices();
  const theme = useSetting('theme');
  const chosenLanguage = remembered('language') ?? '';
  return (
    <SettingsSubpage title={lateWords.settings.appearance}>
      <div className="settings-group">
        <Choices
          legend={lateWords.settings.theme} value={theme} testId="theme" choices={themes()}
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
    <SettingsSubpage title={lateWords.settings.countdown}>
      <div className="settings-group">
        <p className="settings-standing">{lateWords.settings.countdownFor}</p>
        <CountdownSeconds seconds={seconds} onChange={(value) => library.set('countdownSeconds', value)} />
        <CountdownRepeats />
        <Choices
          legend={lateWords.settings.sound} value={sound} choices={sounds()} testId="countdown-sound"
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
  const seconds = useSetting('seekStepSeconds');
  const unit = useSetting('seekUnit');
  const { settings } = lateWords;
  return (
    <SettingsSubpage title={settings.player}>
      <div className="settings-group">
        <Choices<number | 'eight'>
          legend={settings.seekStep} value={unit === 'eight' ? unit : seconds} testId="seek-step"
          choices={[...steps, { value: 'eight', label: settings.anEight }]}
          onChoose={(value) => {
            library.set('seekUnit', value === 'eight' ? value : 'seconds');
            if (value !== 'eight') library.set('seekStepSeconds', value);
          }}
        />
        {unit === 'eight' && <p className="note">{settings.eightHint(seconds)}</p>}
      </div>
    </SettingsSubpage>
  );
}
