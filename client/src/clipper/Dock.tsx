// The buttons within reach of the thumb: playback above, cutting below.

import { CountdownSheet } from '../player/CountdownSheet';
import { ValueButton } from '../player/PracticeControls';
import { percentOf } from '../parts/practiceSettings';
import { SpeedSheet } from '../player/SpeedSheet';
import { PlayButton, SeekButton } from '../player/Transport';
import { Icon } from '../ui/Icon';
import type { ClipperPractice } from './usePractice';
import { percentText } from '../words/format';

interface DockProps {
  readonly practice: ClipperPractice;
  readonly isLooping: boolean;
  readonly hasSelection: boolean;
  readonly onLoop: () => void;
  /** Null if borders can only be moved. */
  readonly onCut: (() => void) | null;
  readonly onSet: (which: 'start' | 'end') => void;
}

/** Playback and cutting. */
export function Dock({
  practice, isLooping, hasSelection, onLoop, onCut, onSet,
}: DockProps): JSX.Element {
  const { fields, settings, set } = practice;
  const seconds = settings.countdownSeconds;
  return (
    <section className="dock" aria-label="Play and cut">
      <div className="dock-play">
        <ValueButton
          isSmall name="speed" icon="speed" label="Speed" value={percentText(percentOf(fields))}
          sheet={(close) => <SpeedSheet fields={fields} onSet={set} onClose={close} canTrain={false} />}
        />
        <ValueButton
          isSmall name="countdown" icon="timer" label="Countdown" value={seconds === 0 ? 'Off' : `${seconds} s`}
          sheet={(close) => <CountdownSheet settings={settings} onSet={set} onClose={close} />}
        />
        <SeekButton forward={false} isDisabled={false} />
        <PlayButton isDisabled={false} size={32} />
        <SeekButton forward isDisabled={false} />
        <button
          type="button" className="transport-button has-word" aria-pressed={isLooping} data-testid="loop"
          aria-label={hasSelection ? 'Loop the selection' : 'Loop the song'} onClick={onLoop}
        >
          <Icon name="loop" size={28} />
          <span aria-hidden="true">Loop</span>
        </button>
      </div>
      <div className="dock-cut">
        <button type="button" className="button button-plain" data-testid="set-start" onClick={() => onSet('start')}>
          Set start<span className="only-spoken"> here</span>
        </button>
        {onCut && (
          <button
            type="button" className="button button-primary dock-here" data-testid="cut-here" onClick={onCut}
          >
            <Icon name="clipper" />
            Cut here
          </button>
        )}
        <button type="button" className="button button-plain" data-testid="set-end" onClick={() => onSet('end')}>
          Set end<span className="only-spoken"> here</span>
        </button>
      </div>
    </section>
  );
}
