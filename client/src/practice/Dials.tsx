// The row of dials below the buttons: speed, pitch, countdown, repeats; and the way back to none of them.

import type { ReactNode } from 'react';
import { pitchSheet, speedSheet } from '../app/loadedPages';
import { useFromPlayer, useOverlay } from '../app/services';
import { Icon, type IconName } from '../ui/Icon';
import { toasts } from '../ui/toasts';
import { CountdownSheet } from './CountdownSheet';
import {
  ownPractice, plainPractice, semitonesText, type PracticeFields, type PracticeSettings, type SetPractice,
} from './practiceSettings';
import { RepeatSheet, repeatText, spokenRepeats } from './RepeatSheet';

interface DialsProps {
  /** What is remembered, and what holds: the defaults filled in. */
  readonly fields: PracticeFields;
  readonly settings: PracticeSettings;
  readonly onSet: SetPractice;
}

/** All four; the reset stands there once there is something to reset. */
export function Dials({ fields, settings, onSet }: DialsProps): JSX.Element {
  const percent = useFromPlayer((snapshot) => snapshot.percent);
  const { semitones, countdownSeconds, trainer } = settings;
  const own = ownPractice(fields);
  const isTraining = trainer.every > 0 && (fields.loopMode ?? 'off') !== 'off';
  const shown = isTraining ? percent : settings.percent;
  const reset = (): void => {
    if (!own) return;
    onSet(plainPractice);
    toasts.say('Speed, pitch, countdown, repeats and loop are as at first.', {
      action: { label: 'Undo', run: () => onSet(own) },
    });
  };
  return (
    <div className="dials-box">
      <div className="dials">
        <Dial
          name="speed" icon="speed" label={isTraining ? 'Trainer' : 'Speed'} value={`${shown} %`}
          sheet={(close) => <speedSheet.Page fields={fields} onSet={onSet} onClose={close} />}
        />
        <Dial
          name="pitch" icon="pitch" label="Pitch" value={semitonesText(semitones)}
          sheet={(close) => <pitchSheet.Page fields={fields} onSet={onSet} onClose={close} />}
        />
        <Dial
          name="countdown" icon="timer" label="Countdown" value={countdownSeconds === 0 ? 'Off' : `${countdownSeconds} s`}
          sheet={(close) => <CountdownSheet settings={settings} onSet={onSet} onClose={close} />}
        />
        <Dial
          name="repeat" icon="loop" label="Repeats" value={repeatText(settings)} spoken={spokenRepeats(settings)}
          sheet={(close) => <RepeatSheet fields={fields} settings={settings} onSet={onSet} onClose={close} />}
        />
      </div>
      <button
        type="button" className="dials-reset" data-testid="practice-reset" disabled={own === null} onClick={reset}
      >
        Reset
      </button>
    </div>
  );
}

interface DialProps {
  readonly name: 'speed' | 'pitch' | 'countdown' | 'repeat';
  readonly icon: IconName;
  readonly label: string;
  readonly value: string;
  /** The value for a screen reader, where it is another one. */
  readonly spoken?: string;
  readonly sheet: (close: () => void) => ReactNode;
}

/** A dial that opens its sheet. */
export function Dial({ name, icon, label, value, spoken, sheet }: DialProps): JSX.Element {
  const [isOpen, open, close] = useOverlay(name);
  return (
    <>
      <button
        type="button" className="dial" data-testid={`${name}-dial`} aria-haspopup="dialog"
        aria-label={`${label}: ${spoken ?? value}`} onClick={open}
      >
        <Icon name={icon} />
        <span className="dial-value time">{value}</span>
        <span className="dial-name">{label}</span>
      </button>
      {isOpen && sheet(close)}
    </>
  );
}
