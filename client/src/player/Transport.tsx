// The row of large buttons: section loop, back, play or pause, forward, loop.

import { useFromPlayer, useServices, useSetting } from '../services/services';
import { useHold } from '../ui/hold';
import { Icon, SectionIcon, SeekIcon } from '../ui/Icon';
import { framesOf, plural } from '../ui/time';
import { sectionStep } from '../parts/section';
import './transport.css';
import type { PartLoop } from './usePartLoop';

/** Back by the seek step, or forward. */
export function SeekButton({ forward, isDisabled }: { forward: boolean; isDisabled: boolean }): JSX.Element {
  const { player } = useServices();
  const seconds = useSetting('seekStepSeconds');
  const label = `${forward ? 'Forward' : 'Back'} ${plural(seconds, 'second')}`;
  return (
    <button
      type="button" className="transport-button" aria-label={label} title={label} disabled={isDisabled}
      data-testid={forward ? 'seek-forward' : 'seek-back'}
      onClick={() => player.skip(framesOf(forward ? seconds : -seconds))}
    >
      <SeekIcon seconds={seconds} forward={forward} />
    </button>
  );
}

/** Play or pause; answers the press before the sound does. */
export function PlayButton({ isDisabled, size }: { isDisabled: boolean; size: number }): JSX.Element {
  const { player } = useServices();
  const wantsToPlay = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  const isLoading = useFromPlayer((snapshot) => snapshot.wantsToPlay && snapshot.state === 'loading');
  return (
    <button
      type="button" className={isLoading ? 'play-button is-loading' : 'play-button'} disabled={isDisabled}
      aria-label={wantsToPlay ? 'Pause' : 'Play'} data-testid="play" data-playing={wantsToPlay}
      aria-busy={isLoading} onClick={() => player.toggle()}
    >
      <Icon name={wantsToPlay ? 'pause' : 'play'} size={size} />
    </button>
  );
}

/** The section loop: set A, set B, off and on; held, it forgets both. */
function SectionButton({ loop, isDisabled }: { loop: PartLoop; isDisabled: boolean }): JSX.Element {
  const handlers = useHold(loop.section, loop.clear);
  const step = sectionStep(loop.state);
  const isActive = loop.state.loopMode === 'section';
  const label = step === 'setA' ? 'Set A' : step === 'setB' ? 'Set B' : 'A–B';
  return (
    <button
      type="button" {...handlers} className="transport-button has-word" disabled={isDisabled}
      aria-pressed={isActive} data-testid="section" data-step={step}
      aria-label={step === 'toggle' ? 'Section loop from A to B. Delete clears it.' : `Section loop: ${label}`}
    >
      <SectionIcon hasA={loop.state.markerA !== null} hasB={loop.state.markerB !== null} />
      <span aria-hidden="true">{label}</span>
    </button>
  );
}

function LoopButton({ loop, isDisabled }: { loop: PartLoop; isDisabled: boolean }): JSX.Element {
  return (
    <button
      type="button" className="transport-button has-word" aria-label="Loop the part" data-testid="loop"
      aria-pressed={loop.state.loopMode === 'whole'} disabled={isDisabled} onClick={loop.whole}
    >
      <Icon name="loop" size={34} />
      <span aria-hidden="true">Loop</span>
    </button>
  );
}

/** All five; a run through the whole routine has no loop. */
export function Transport({ loop, isDisabled }: { loop: PartLoop | null; isDisabled: boolean }): JSX.Element {
  return (
    <div className="transport" role="group" aria-label="Playback">
      {loop && <SectionButton loop={loop} isDisabled={isDisabled} />}
      <SeekButton forward={false} isDisabled={isDisabled} />
      <PlayButton isDisabled={isDisabled} size={48} />
      <SeekButton forward isDisabled={isDisabled} />
      {loop && <LoopButton loop={loop} isDisabled={isDisabled} />}
    </div>
  );
}
