// The buttons within reach of the thumb: playback above, cutting below.

import { CountdownSheet } from '../player/CountdownSheet';
import { ValueButton } from '../player/PracticeControls';
import { countdownText, percentOf } from '../parts/practiceSettings';
import { SpeedSheet } from '../player/SpeedSheet';
import { PlayButton, SeekButton } from '../player/Transport';
import { Icon } from '../ui/Icon';
import type { ClipperPractice } from './usePractice';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

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
  const said = lateWords.clipper;
  return (
    <section className="dock" aria-label={said.playAndCut}>
      <div className="dock-play">
        <ValueButton
          isSmall name="speed" icon="speed" label={words.player.speed} value={percentText(percentOf(fields))}
          sheet={(close) => <SpeedSheet fields={fields} onSet={set} onClose={close} canTrain={false} />}
        />
        <ValueButton
          isSmall name="countdown" icon="timer" label={words.player.countdown} short={words.player.countdownShort}
          value={countdownText(settings.countdownSeconds)}
          sheet={(close) => <CountdownSheet settings={settings} onSet={set} onClose={close} />}
        />
        <SeekButton forward={false} isDisabled={false} />
        <PlayButton isDisabled={false} size={32} />
        <SeekButton forward isDisabled={false} />
        <button
          type="button" className="transport-button has-word" aria-pressed={isLooping} data-testid="loop"
          aria-label={hasSelection ? said.loopSelection : said.loopSong} onClick={onLoop}
        >
          <Icon name="loop" size={28} />
          <span aria-hidden="true">{words.player.loop}</span>
        </button>
      </div>
      <div className="dock-cut">
        <button
          type="button" className="button button-plain" data-testid="set-start" aria-label={said.setStartHere}
          onClick={() => onSet('start')}
        >
          {said.setStart}
        </button>
        {onCut && (
          <button
            type="button" className="button button-primary dock-here" data-testid="cut-here" onClick={onCut}
          >
            <Icon name="clipper" />
            {said.cutHere}
          </button>
        )}
        <button
          type="button" className="button button-plain" data-testid="set-end" aria-label={said.setEndHere}
          onClick={() => onSet('end')}
        >
          {said.setEnd}
        </button>
      </div>
    </section>
  );
}
