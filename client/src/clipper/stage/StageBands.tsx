// The bands below the wave with the names of clips and parts, and the tint of the current one.

import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { clock } from '../../ui/time';
import { lateWords } from '../../words/lateWords';
import { bandLabel } from './bandLabel';
import { laneOf } from './lanes';
import { pixels, placeOf, StageLayer, useFrame } from './StageLayer';
import { textWidth } from './textWidth';
import type { StageRange } from './types';

const mostLanes = 2;

interface StageBandsProps {
  readonly ranges: readonly StageRange[];
  readonly onRange: (id: string) => void;
}

/** The bands; overlapping ones are in two rows, the track's own first. */
export function StageBands({ ranges, onRange }: StageBandsProps): JSX.Element | null {
  const frame = useFrame();
  const root = useRef<HTMLDivElement>(null);
  const font = useFont(root, ranges.length > 0);
  const laid = useMemo(() => {
    const ordered = [...ranges].sort((one, other) => (
      Number(one.tone === 'other') - Number(other.tone === 'other') || one.startFrame - other.startFrame
    ));
    const lanes = laneOf(ordered, mostLanes);
    return ordered.map((range, index) => ({ range, lane: lanes[index] ?? 0 }));
  }, [ranges]);
  if (ranges.length === 0) return null;
  const lanes = 1 + Math.max(...laid.map(({ lane }) => lane));
  return (
    <div ref={root} className={`stage-bands has-${lanes}-lanes`}>
      <StageLayer className="stage-bands-layer">
        {laid.filter(({ range }) => range.endFrame > frame.startFrame && range.startFrame < frame.endFrame)
          .map(({ range, lane }) => {
            const at = placeOf(frame, range.startFrame);
            const wide = placeOf(frame, range.endFrame) - at;
            const { text, isNumber } = bandLabel(range.title, range.number, wide, (each) => textWidth(each, font));
            return (
              <button
                key={range.id} type="button" data-testid={`band-${range.id}`} title={range.title}
                className={`stage-band is-${range.tone} lane-${lane}${range.isCurrent ? ' is-current' : ''}`}
                style={pixels({ '--at': at, '--wide': wide })} aria-pressed={range.isCurrent}
                aria-label={lateWords.clipper.bandFromTo(range.title, clock(range.startFrame), clock(range.endFrame))}
                onClick={() => onRange(range.id)}
              >
                <span dir="auto" className={isNumber ? 'is-number time' : undefined}>{text}</span>
              </button>
            );
          })}
      </StageLayer>
    </div>
  );
}

/** Reads the font of the names, once there are bands. */
function useFont(root: RefObject<HTMLElement>, isShown: boolean): string {
  const [font, setFont] = useState('');
  useLayoutEffect(() => {
    const name = root.current?.querySelector('.stage-band span');
    if (!name) return;
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(name);
    setFont(`${fontWeight} ${fontSize} ${fontFamily}`);
  }, [root, isShown]);
  return font;
}

/** Marks the range of the current band on the wave. */
export function CurrentTint({ ranges }: { ranges: readonly StageRange[] }): JSX.Element {
  const frame = useFrame();
  return (
    <>
      {ranges.filter((range) => range.isCurrent).map((range) => {
        const at = placeOf(frame, range.startFrame);
        return (
          <div
            key={range.id} className="stage-current"
            style={pixels({ '--at': at, '--wide': placeOf(frame, range.endFrame) - at })}
          />
        );
      })}
    </>
  );
}
