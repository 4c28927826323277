// The row of dials below the buttons: speed, pitch, countdown, repeats, and their reset.

import type { ReactNode } from 'react';
import { useFromPlayer, useOverlay, useServices, useSetting } from '../services/services';
import type { Part } from '../sync/records';
import { Icon, type IconName } from '../ui/Icon';
import { percentText } from '../words/format';
import { words } from '../words/words';
import { toasts } from '../ui/toasts';
import {
  countdownText, isTraining, ownPractice, percentNow, plainPractice, repeatText, semitonesText, spokenRepeats,
  type PracticeSetting, type SetPractice,
} from '../parts/practiceSettings';
import { practiceSheet } from './lazy';
import './practiceControls.css';
import { usePartPractice } from '../parts/usePartPractice';

type Sheet = (close: () => void, name: PracticeSetting) => JSX.Element;

const sheetFor = (part: Part): Sheet => (close, name) => <practiceSheet.Page name={name} part={part} onClose={close} />;

interface ControlProps {
  readonly part: Part;
  readonly isSmall?: boolean;
}

/** The speed of a part, or the trainer's. */
export function SpeedControl({ part, isSmall = false }: ControlProps): JSX.Element {
  const percent = useFromPlayer((snapshot) => snapshot.percent);
  return (
    <ValueButton
      isSmall={isSmall} name="speed" icon="speed" label={isTraining(part) ? words.player.trainer : words.player.speed}
      value={percentText(percentNow(part, percent))} sheet={sheetFor(part)}
    />
  );
}

/** The length of a part's countdown, or its count-in. */
export function CountdownControl({ part, isSmall = false }: ControlProps): JSX.Element {
  const { countdownSeconds } = usePartPractice(part);
  const countIn = useSetting('countIn');
  const hasBeats = useFromPlayer((snapshot) => snapshot.hasBeats);
  const value = hasBeats && countIn !== 'seconds' ? words.player.countIns[countIn] : countdownText(countdownSeconds);
  return (
    <ValueButton
      isSmall={isSmall} name="countdown" icon="timer" label={words.player.countdown} short={words.player.countdownShort}
      value={value} sheet={sheetFor(part)}
    />
  );
}

/** All four dials; the reset appears once there is something to reset. */
export function PracticeControls({ part }: { part: Part }): JSX.Element {
  const { library } = useServices();
  const settings = usePartPractice(part);
  const own = ownPractice(part);
  const set: SetPractice = (fields) => library.edit('part', part.id, fields);
  const reset = (): void => {
    if (!own) return;
    set(plainPractice);
    toasts.say(words.player.isReset, {
      action: { label: words.common.undo, run: () => set(own) },
    });
  };
  const sheet = sheetFor(part);
  return (
    <div className="dials-box">
      <div className="dials">
        <SpeedControl part={part} />
        <ValueButton name="pitch" icon="pitch" label={words.player.pitch} value={semitonesText(settings.semitones)} sheet={sheet} />
        <CountdownControl part={part} />
        <ValueButton
          name="repeat" icon="loop" label={words.player.repeats} value={repeatText(settings)} spoken={spokenRepeats(settings)}
          sheet={sheet}
        />
      </div>
      <button
        type="button" className="dials-reset" data-testid="practice-reset" disabled={own === null} onClick={reset}
      >
        {words.player.reset}
      </button>
    </div>
  );
}

interface DialProps {
  readonly name: PracticeSetting;
  readonly icon: IconName;
  /** Without the icon, for the row of other buttons. */
  readonly isSmall?: boolean;
  readonly label: string;
  /** A shorter name for the row of other buttons. */
  readonly short?: string;
  readonly value: string;
  /** The value for a screen reader, if it differs. */
  readonly spoken?: string;
  readonly sheet: (close: () => void, name: PracticeSetting) => ReactNode;
}

/** A dial that opens its sheet. */
export function ValueButton({ name, icon, isSmall, label, short, value, spoken, sheet }: DialProps): JSX.Element {
  const [isOpen, open, close] = useOverlay(name);
  return (
    <>
      <button
        type="button" className={isSmall ? 'dial is-small' : 'dial'} data-testid={`${name}-dial`} aria-haspopup="dialog"
        aria-label={`${label}: ${spoken ?? value}`} onClick={open}
      >
        {!isSmall && <Icon name={icon} />}
        <span className="dial-value time">{value}</span>
        <span className="dial-name">{isSmall ? short ?? label : label}</span>
      </button>
      {isOpen && sheet(close, name)}
    </>
  );
}
