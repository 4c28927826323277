// The third tab: how it looks, counts in and seeks; the keys; what Segmance is.

import type { ReactNode } from 'react';
import { KeyTable } from '../app/KeyboardHelp';
import { useLibraryStatus, useServices, useSetting } from '../app/services';
import type { TickSound } from '../audio/player';
import { CountdownRepeats, countdownChoices, SecondsField } from '../practice/CountdownDial';
import { Choices } from '../ui/Choices';
import { Mark } from '../ui/Icon';
import { plural } from '../ui/time';
import type { ThemeChoice } from '../ui/theme';
import { RefusedChanges } from './RefusedChanges';
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

/** The settings. */
export function SettingsPage(): JSX.Element {
  const { library, player } = useServices();
  const theme = useSetting<ThemeChoice>('theme', 'system');
  const sound = useSetting<TickSound>('countdownSound', 'clave');
  const seekStep = useSetting<number>('seekStepSeconds', 5);
  const countdown = useSetting<number>('countdownSeconds', 0);
  return (
    <>
      <header className="page-head"><h1>Settings</h1></header>
      <RefusedChanges />
      <div className="settings">
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
          <SecondsField seconds={countdown} onChange={(value) => library.set('countdownSeconds', value)} />
          <CountdownRepeats />
        </Group>
        <Group title="Player">
          <Choices
            legend="Back and forward by" value={seekStep} choices={steps} testId="seek-step"
            onChoose={(value) => library.set('seekStepSeconds', value)}
          />
        </Group>
        <Group title="Keys"><KeyTable /></Group>
        <Group title="About">
          <div className="about">
            <Mark size={56} />
            <p>
              <b>Segmance</b>
              <br />
              A practice studio for performers. Your songs and routines stay on your own server.
            </p>
          </div>
          <Standing />
        </Group>
      </div>
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

function Standing(): JSX.Element {
  const { online, waiting } = useLibraryStatus();
  const server = online ? 'The server answers.' : 'The server does not answer.';
  const changes = waiting > 0 ? `${plural(waiting, 'change')} still to be sent.` : 'Everything is saved there.';
  return <p className="settings-standing" role="status">{`${server} ${changes}`}</p>;
}
