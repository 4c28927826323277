// The routine as one strip with what was missed on it. A press or keys choose a place, where a miss can be added.

import { useRef, useState } from 'react';
import type { PlayedCounts } from '../audio/playedCounts';
import { runLength } from '../audio/run';
import type { PracticeExports } from '../generated/practice';
import { frameAt } from '../parts/progress';
import type { Covered, Miss } from '../practice/misses';
import type { PracticePart } from '../practice/parts';
import { useServices } from '../services/services';
import type { Part } from '../sync/records';
import { Button } from '../ui/Button';
import { Waveform } from '../ui/Waveform';
import { lateWords } from '../words/lateWords';
import type { RunParts } from './heardRanges';
import { missText } from './missText';
import { frameOnLine, heardShares, missAt, nextStop, partShares, shareOf, stopsOnLine } from './places';
import './reviewStrip.css';
import { addMiss } from './runs';

interface ReviewStripProps {
  readonly runId: string;
  readonly line: RunParts;
  readonly parts: readonly Part[];
  readonly practiceParts: readonly PracticePart[];
  readonly counts: PlayedCounts;
  readonly practice: PracticeExports;
  readonly covered: readonly Covered[];
  readonly misses: readonly Miss[];
  /** Those of the run-through before. */
  readonly earlier: readonly Miss[];
}

const left = (share: number): { left: string } => ({ left: `${share * 100}%` });
const between = (start: number, end: number): { left: string; width: string } => ({ ...left(start), width: `${(end - start) * 100}%` });

/** The strip, and the place that was chosen on it. */
export function ReviewStrip({
  runId, line, parts, practiceParts, counts, practice, covered, misses, earlier,
}: ReviewStripProps): JSX.Element {
  const { library } = useServices();
  const box = useRef<HTMLDivElement>(null);
  const isDragged = useRef(false);
  /** The frame of the line that was chosen; null before. */
  const [chosen, setChosen] = useState<number | null>(null);
  const length = runLength(line.stretches);
  const stops = stopsOnLine(line, practiceParts);
  const place = missAt(line, practiceParts, chosen ?? firstHeard(line, covered));
  const text = place && missText(library, counts, parts, place);
  const isMissed = place !== null && misses.some(({ partId, moveId, frame }) => (
    partId === place.partId && moveId === place.moveId && (moveId !== null || Math.abs(frame - place.frame) < 24_000)
  ));
  const choose = (event: React.PointerEvent): void => {
    const rect = box.current?.getBoundingClientRect();
    const frame = frameAt(event.clientX, rect?.left ?? 0, rect?.width ?? 0, { startFrame: 0, endFrame: length });
    setChosen(Math.min(frame, length - 1));
  };
  const said = lateWords.runThrough;
  const marks = (list: readonly Miss[], name: string): JSX.Element[] => list.flatMap((miss) => {
    const share = shareOf(line, miss);
    return share === null ? [] : [
      <i key={`${miss.partId} ${miss.frame}`} className={`review-mark is-${name}`} style={left(share)} data-testid={`review-${name}`} />,
    ];
  });
  return (
    <div className="review-place">
      <div
        ref={box} className="review-strip" role="slider" tabIndex={0} aria-label={said.place} aria-valuemin={0}
        aria-valuemax={length} aria-valuenow={chosen ?? 0} aria-valuetext={text ? `${text.title}, ${text.place}` : undefined}
        aria-orientation="horizontal" data-testid="review-strip"
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          isDragged.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          choose(event);
        }}
        onPointerMove={(event) => {
          if (isDragged.current) choose(event);
        }}
        onPointerUp={() => {
          isDragged.current = false;
        }}
        onPointerCancel={() => {
          isDragged.current = false;
        }}
        onKeyDown={(event) => {
          const from = chosen ?? firstHeard(line, covered);
          const isBack = event.key === 'ArrowLeft' || event.key === 'ArrowDown';
          if (isBack || event.key === 'ArrowRight' || event.key === 'ArrowUp') setChosen(nextStop(stops, from, isBack ? -1 : 1));
          else if (event.key === 'PageUp' || event.key === 'PageDown') {
            setChosen(nextStop(partStarts(line), from, event.key === 'PageUp' ? 1 : -1));
          } else if (event.key === 'Home') setChosen(0);
          else if (event.key === 'End') setChosen(stops[stops.length - 1] ?? 0);
          else return;
          event.preventDefault();
        }}
      >
        {heardShares(line, covered).map(({ start, end }) => (
          <i key={start} className="review-heard" style={between(start, end)} />
        ))}
        <Waveform stretches={line.stretches} />
        {partShares(line).map(({ start, end }, at) => (
          <span key={start} className="review-part time" style={between(start, end)}>
            {parts.findIndex(({ id }) => id === line.partIds[at]) + 1}
          </span>
        ))}
        {marks(earlier, 'earlier')}
        {marks(misses, 'missed')}
        {chosen !== null && <i className="review-chosen" style={left(chosen / Math.max(1, length))} data-testid="review-chosen" />}
      </div>
      {chosen === null || !place || !text
        ? <p className="review-hint">{said.chooseHint}</p>
        : (
          <div className="review-add">
            <p aria-live="polite" data-testid="review-at">
              <b dir="auto">{text.title}</b>
              <small dir="auto">{text.place}</small>
            </p>
            <Button
              icon="plus" isSmall data-testid="review-add" disabled={isMissed}
              onClick={() => addMiss(library, practice, runId, place, text.title)}
            >
              {isMissed ? said.isMissed : said.add}
            </Button>
          </div>
        )}
    </div>
  );
}

const partStarts = (line: RunParts): number[] => line.stretches.map((stretch, at) => (
  frameOnLine(line, line.partIds[at] ?? '', stretch.startFrame) ?? 0
));

/** Where the keys begin: where the run-through began. */
function firstHeard(line: RunParts, covered: readonly Covered[]): number {
  const [first] = covered;
  return first ? frameOnLine(line, first.partId, first.startFrame) ?? 0 : 0;
}
