// The player at the bottom of the page: what plays, large enough for two metres, and what is set most often.

import { useRef, type RefObject } from 'react';
import { useFromCounts, useFromPlayer } from '../services/services';
import type { Part } from '../sync/records';
import { Marquee } from '../ui/Marquee';
import { percentText } from '../words/format';
import { words } from '../words/words';
import { clock } from '../ui/time';
import './compact.css';
import { fractionOf } from '../parts/progress';
import { CountdownControl, SpeedControl } from './PracticeControls';
import { OwnSectionButton, PlayButton, SeekButton } from './Transport';
import type { PartLoop, PlayablePart } from './usePartLoop';
import { usePlayhead } from '../parts/usePlayhead';
import { useSwipe } from './useSwipe';

interface PlayerCompactProps {
  readonly part: Part;
  readonly playable: PlayablePart | null;
  readonly title: string;
  /** Null in a run, where nothing repeats. */
  readonly loop: PartLoop | null;
  /** The progress of the audio's preparation, in percent. */
  readonly preparing: number | null;
  readonly onPrevious: (() => void) | null;
  readonly onNext: (() => void) | null;
  readonly onExpand: () => void;
  readonly expandRef: RefObject<HTMLButtonElement>;
}

/**
 * Title and time, which a tap expands and a swipe turns to another part; speed, countdown, A–B, back, play or pause, forward.
 */
export function PlayerCompact({
  part, title, playable, loop, preparing, onPrevious, onNext, onExpand, expandRef,
}: PlayerCompactProps): JSX.Element {
  const swipe = useSwipe(onPrevious, onNext);
  const line = useRef<HTMLDivElement>(null);
  const time = useRef<HTMLElement>(null);
  const problem = useFromPlayer((snapshot) => snapshot.problem);
  const percent = useFromPlayer((snapshot) => snapshot.percent);
  const inCounts = useFromCounts(({ length }) => length && words.parts.countLength(length));
  const bounds = playable ?? { startFrame: 0, endFrame: 0 };
  usePlayhead((frame) => {
    if (line.current) line.current.style.transform = `scaleX(${fractionOf(frame, bounds)})`;
    const text = clock(playable ? frame - bounds.startFrame : 0);
    if (time.current && time.current.textContent !== text) time.current.textContent = text;
  });
  const { loopMode, markerA, markerB } = loop?.state ?? { loopMode: 'off', markerA: null, markerB: null };
  return (
    <div className="compact">
      <div className="compact-line">
        {markerA !== null && markerB !== null && (
          <div
            className={loopMode === 'section' ? 'compact-section is-active' : 'compact-section'}
            style={{
              left: `${fractionOf(markerA, bounds) * 100}%`,
              right: `${(1 - fractionOf(markerB, bounds)) * 100}%`,
            }}
          />
        )}
        <div ref={line} className="compact-progress" />
      </div>
      <button
        type="button" className="title-button compact-open" aria-label={words.player.expand(title)}
        data-testid="player-expand" {...swipe} onClick={onExpand} ref={expandRef}
      >
        <Marquee text={title} />
        {preparing !== null && (
          <span className="compact-time time" role="status" data-testid="audio-importing">
            {words.player.preparing(preparing)}
          </span>
        )}
        {problem !== null && <span className="compact-time problem" role="alert">{problem}</span>}
        {preparing === null && problem === null && (
          <span className="compact-time time">
            <b className="compact-clock" ref={time} />
            <span className="compact-total">{`/ ${clock(bounds.endFrame - bounds.startFrame)}${inCounts ? ` · ${inCounts}` : ''}`}</span>
            {loopMode === 'whole' && <b className="compact-mode">{words.player.loop}</b>}
            {!loop && percent !== 100 && <b className="compact-mode">{percentText(percent)}</b>}
          </span>
        )}
      </button>
      <div className="compact-controls">
        {loop && <SpeedControl part={part} isSmall />}
        {loop && <CountdownControl part={part} isSmall />}
        {loop && <OwnSectionButton loop={loop} isDisabled={!playable} />}
        <SeekButton forward={false} isDisabled={!playable} />
        <PlayButton isDisabled={!playable} size={32} />
        <SeekButton forward isDisabled={!playable} />
      </div>
    </div>
  );
}
