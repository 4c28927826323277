// The row of large buttons: section loop, back, play or pause, forward, loop. The same buttons
// control this page and another device through a `TransportSource`.

import { useMemo } from 'react';
import type { Direction } from '../counts/grid';
import { useFromCounts, useFromPlayer, useServices, useSetting } from '../services/services';
import { useLongPress } from '../ui/useLongPress';
import { EightIcon, Icon, SectionIcon, SeekIcon } from '../ui/Icon';
import { words } from '../words/words';
import { sectionStep, type LoopState } from '../parts/section';
import { seekByStep, type SeekStep } from '../parts/seekStep';
import './transport.css';
import type { PartLoop } from './usePartLoop';

/** The state and the actions of the buttons. */
export interface TransportSource {
  readonly wantsToPlay: boolean;
  readonly isLoading: boolean;
  readonly seekStep: SeekStep;
  /** The prefix of the buttons' test ids; empty for this page's own player. */
  readonly testIdPrefix: string;
  toggle(): void;
  /** Moves one seek step forward (1) or back (−1). */
  skip(direction: Direction): void;
}

/** The loop state for two of the buttons. */
export type TransportLoop = Pick<PartLoop, 'section' | 'whole' | 'clear'> & { readonly state: LoopState };

interface SourceProps {
  readonly source: TransportSource;
  readonly isDisabled: boolean;
}

/** Returns the state and actions of this page's own player. */
export function useOwnTransport(testIdPrefix = ''): TransportSource {
  const services = useServices();
  const seconds = useSetting('seekStepSeconds');
  const unit = useSetting('seekUnit');
  const isEight = useFromCounts((counts) => counts.hasCounts) && unit === 'eight';
  const wantsToPlay = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  const isLoading = useFromPlayer((snapshot) => snapshot.wantsToPlay && snapshot.state === 'loading');
  return useMemo(() => ({
    wantsToPlay, isLoading, seekStep: { seconds, isEight }, testIdPrefix,
    toggle: () => services.player.toggle(),
    skip: (direction) => seekByStep(services, direction),
  }), [services, seconds, isEight, wantsToPlay, isLoading, testIdPrefix]);
}

/** Back by the seek step, or forward, on this page. */
export function SeekButton({ forward, isDisabled }: { forward: boolean; isDisabled: boolean }): JSX.Element {
  return <Seek source={useOwnTransport()} forward={forward} isDisabled={isDisabled} />;
}

/** Play or pause on this page; shows the press before the sound starts. */
export function PlayButton({ isDisabled, size }: { isDisabled: boolean; size: number }): JSX.Element {
  return <Play source={useOwnTransport()} isDisabled={isDisabled} size={size} />;
}

function Seek({ source, forward, isDisabled }: SourceProps & { forward: boolean }): JSX.Element {
  const { seekStep: { seconds, isEight }, testIdPrefix } = source;
  const { player } = words;
  const label = isEight
    ? forward ? player.nextEight : player.previousEight
    : forward ? player.forward(seconds) : player.back(seconds);
  return (
    <button
      type="button" className="transport-button" aria-label={label} title={label} disabled={isDisabled}
      data-testid={`${testIdPrefix || 'seek-'}${forward ? 'forward' : 'back'}`}
      onClick={() => source.skip(forward ? 1 : -1)}
    >
      {isEight ? <EightIcon forward={forward} /> : <SeekIcon seconds={seconds} forward={forward} />}
    </button>
  );
}

function Play({ source, isDisabled, size }: SourceProps & { size: number }): JSX.Element {
  const { wantsToPlay, isLoading } = source;
  return (
    <button
      type="button" className={isLoading ? 'play-button is-loading' : 'play-button'} disabled={isDisabled}
      aria-label={wantsToPlay ? words.player.pause : words.player.play} data-testid={`${source.testIdPrefix}play`}
      data-playing={wantsToPlay} aria-busy={isLoading} onClick={() => source.toggle()}
    >
      <Icon name={wantsToPlay ? 'pause' : 'play'} size={size} />
    </button>
  );
}

interface LoopProps {
  readonly loop: TransportLoop;
  readonly testIdPrefix: string;
  readonly isDisabled: boolean;
}

/** The section loop: set A, set B, off and on; a long press clears both. */
function SectionButton({ loop, testIdPrefix, isDisabled }: LoopProps): JSX.Element {
  const handlers = useLongPress(() => loop.section(), () => loop.clear());
  const step = sectionStep(loop.state);
  const isActive = loop.state.loopMode === 'section';
  const label = step === 'setA' ? words.player.setA : step === 'setB' ? words.player.setB : 'A–B';
  return (
    <button
      type="button" {...handlers} className="transport-button has-word" disabled={isDisabled}
      aria-pressed={isActive} data-testid={`${testIdPrefix}section`} data-step={step}
      aria-label={step === 'toggle' ? words.player.sectionIsSet : words.player.section(label)}
    >
      <SectionIcon hasA={loop.state.markerA !== null} hasB={loop.state.markerB !== null} />
      <span aria-hidden="true">{label}</span>
    </button>
  );
}

function LoopButton({ loop, testIdPrefix, isDisabled }: LoopProps): JSX.Element {
  return (
    <button
      type="button" className="transport-button has-word" aria-label={words.player.loopPart}
      data-testid={`${testIdPrefix}loop`} aria-pressed={loop.state.loopMode === 'whole'} disabled={isDisabled}
      onClick={() => loop.whole()}
    >
      <Icon name="loop" size={34} />
      <span aria-hidden="true">{words.player.loop}</span>
    </button>
  );
}

/** The section loop of this page's own player. */
export function OwnSectionButton({ loop, isDisabled }: { loop: PartLoop; isDisabled: boolean }): JSX.Element {
  return <SectionButton loop={loop} testIdPrefix="" isDisabled={isDisabled} />;
}

/** All five; a run through the whole routine has no loop. */
export function TransportButtons({
  source, loop, isDisabled,
}: SourceProps & { loop: TransportLoop | null }): JSX.Element {
  const { testIdPrefix } = source;
  return (
    <div className="transport" role="group" aria-label={words.player.playback}>
      {loop && <SectionButton loop={loop} testIdPrefix={testIdPrefix} isDisabled={isDisabled} />}
      <Seek source={source} forward={false} isDisabled={isDisabled} />
      <Play source={source} isDisabled={isDisabled} size={48} />
      <Seek source={source} forward isDisabled={isDisabled} />
      {loop && <LoopButton loop={loop} testIdPrefix={testIdPrefix} isDisabled={isDisabled} />}
    </div>
  );
}

/** The row for this page's own player. */
export function Transport({ loop, isDisabled }: { loop: PartLoop | null; isDisabled: boolean }): JSX.Element {
  return <TransportButtons source={useOwnTransport()} loop={loop} isDisabled={isDisabled} />;
}
