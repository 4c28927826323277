// The selection in numbers: start, length and end; play it, clip it, and set its ends exactly.

import { useEffect, useId, useRef, useState } from 'react';
import { remember, remembered } from '../ui/device';
import { Button, IconButton } from '../ui/Button';
import { framesOf } from '../ui/time';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { countSteps } from './countSteps';
import type { Selection } from './model/selection';
import { exactClock, readTime } from './model/times';
import type { StepByCounts } from './stage/types';
import { lengthInCounts, type TrackCounts } from './useTrackCounts';

interface SelectionPanelProps {
  readonly selection: Selection | null;
  readonly lengthFrames: number;
  readonly counts: TrackCounts | null;
  /** Null for a track without counts. */
  readonly stepBy: StepByCounts | null;
  /** The name of the piece whose borders these are. */
  readonly adjusted: string | null;
  readonly isPart: boolean;
  readonly isPlaying: boolean;
  readonly onPlay: () => void;
  readonly onSet: (which: 'start' | 'end', frame: number) => void;
  readonly onClip: () => void;
  readonly onDone: () => void;
  readonly onClear: () => void;
}

/** The row that is always visible, and the panel that opens below it. */
export function SelectionPanel({
  selection, lengthFrames, counts, stepBy, adjusted, isPart, isPlaying, onPlay, onSet, onClip, onDone, onClear,
}: SelectionPanelProps): JSX.Element {
  const [isOpen, setOpen] = useState(() => remembered('selectionOpen') === 'yes');
  const { startFrame, endFrame } = selection ?? { startFrame: 0, endFrame: lengthFrames };
  const inCounts = lengthInCounts(counts, { startFrame, endFrame });
  const id = useId();
  const said = lateWords.clipper;
  const classes = ['selection', selection === null ? 'is-idle' : '', isOpen ? 'is-open' : ''].join(' ');
  return (
    <section className={classes} aria-label={said.selection} data-testid="selection">
      <div className="selection-row">
        <IconButton
          icon={isPlaying ? 'pause' : 'play'} disabled={selection === null} data-testid="selection-play"
          label={isPlaying ? said.pauseSelection : said.playSelection} onClick={onPlay}
        />
        <p className="selection-times">
          <b dir="auto" data-testid="selection-name">{adjusted ?? (selection ? said.selection : said.wholeSong)}</b>
          <span className="time" data-testid="selection-range" data-start={startFrame} data-end={endFrame}>
            <span>{exactClock(startFrame)}</span>
            {' – '}
            <span>{exactClock(endFrame)}</span>
          </span>
          <span className="time" data-testid="selection-length">
            {said.long(exactClock(endFrame - startFrame))}
            {inCounts !== null && <span data-testid="selection-counts">{` · ${inCounts}`}</span>}
          </span>
        </p>
        {adjusted !== null || isPart
          ? <Button kind="primary" data-testid="adjust-done" onClick={onDone}>{words.common.done}</Button>
          : (
            <Button
              kind="primary" disabled={selection === null} data-testid="clip" onClick={onClip}
              aria-describedby={selection === null ? `${id}-why` : undefined}
            >
              {said.clip}
            </Button>
          )}
        <IconButton
          icon={isOpen ? 'up' : 'down'} aria-expanded={isOpen} aria-controls={`${id}-more`} data-testid="selection-more"
          className="selection-toggle" label={isOpen ? said.hideTimes : said.showTimes}
          onClick={() => {
            remember('selectionOpen', isOpen ? 'no' : 'yes');
            setOpen(!isOpen);
          }}
        />
      </div>
      {selection === null && (
        <p id={`${id}-why`} className="selection-why">{said.howToClip}</p>
      )}
      <div id={`${id}-more`} className="selection-more" hidden={!isOpen}>
        <End label={said.start} which="start" frame={startFrame} lengthFrames={lengthFrames} stepBy={stepBy} onSet={onSet} />
        <End label={said.end} which="end" frame={endFrame} lengthFrames={lengthFrames} stepBy={stepBy} onSet={onSet} />
        {selection !== null && adjusted === null && (
          <Button kind="quiet" data-testid="selection-clear" onClick={onClear}>{said.selectNothing}</Button>
        )}
      </div>
    </section>
  );
}

const nudges = [-10, -1, -0.1, 0.1, 1, 10];

interface EndProps {
  readonly label: string;
  readonly which: 'start' | 'end';
  readonly frame: number;
  readonly lengthFrames: number;
  readonly stepBy: StepByCounts | null;
  readonly onSet: (which: 'start' | 'end', frame: number) => void;
}

function End({ label, which, frame, lengthFrames, stepBy, onSet }: EndProps): JSX.Element {
  const said = lateWords.clipper;
  const [text, setText] = useState<string | null>(null);
  const isWrong = text !== null && readTime(text) === null;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // An unapplied input is replaced when the end moves.
    if (document.activeElement !== input.current) setText(null);
  }, [frame]);
  const take = (): void => {
    const read = text === null ? null : readTime(text);
    // Unchanged text means the exact frame, not the first frame of the millisecond.
    if (read !== null && text !== exactClock(frame)) onSet(which, Math.min(read, lengthFrames));
    if (read !== null) setText(null);
  };
  return (
    <div className="end" role="group" aria-label={label}>
      <label className="end-field">
        <span>{label}</span>
        <input
          ref={input} className="input time" autoComplete="off" data-testid={`exact-${which}`}
          aria-invalid={isWrong} aria-describedby={isWrong ? id : undefined} value={text ?? exactClock(frame)}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => {
            take();
            if (text?.trim() === '') setText(null);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take();
            else if (event.key === 'Escape') setText(null);
          }}
        />
      </label>
      <div className="end-nudges">
        {nudges.map((seconds) => (
          <button
            key={seconds} type="button" className="nudge time" data-testid={`nudge-${which}-${seconds}`}
            aria-label={(seconds < 0 ? said.earlier : said.later)(label, Math.abs(seconds))}
            onClick={() => onSet(which, frame + framesOf(seconds))}
          >
            {`${seconds < 0 ? '−' : '+'}${Math.abs(seconds)}`}
          </button>
        ))}
      </div>
      {stepBy && (
        <div className="end-nudges by-counts">
          {countSteps.map((step) => {
            const { unit, direction } = step;
            const to = stepBy(which, frame, step);
            return (
              <button
                key={`${unit} ${direction}`} type="button" className="nudge" disabled={to === null}
                data-testid={`step-${which}-${unit}-${direction}`}
                aria-label={(direction < 0 ? said.earlierBy : said.laterBy)[unit](label)}
                onClick={() => to !== null && onSet(which, to)}
              >
                {`${direction < 0 ? '−' : '+'} ${said.countUnits[unit]}`}
              </button>
            );
          })}
        </div>
      )}
      {isWrong && <p id={id} className="problem end-wrong" role="alert">{said.wrongTime}</p>}
    </div>
  );
}
