// Eights and counts: numbers in a row above the wave, and lines through both.

import { useMemo } from 'react';
import type { Beat } from '../../counts/grid';
import { countMarks, spacingOf, type CountMarks } from './countMarks';
import { pixels, placeOf, StageLayer, useFrame } from './StageLayer';
import type { Frame } from './stageView';

/** More than the height of the row, which cuts its lines off. */
const longPixels = 100;

interface StageCountsProps {
  readonly beats: readonly Beat[];
}

function useMarks(beats: readonly Beat[]): CountMarks {
  const frame = useFrame();
  const spacing = useMemo(() => spacingOf(beats), [beats]);
  return useMemo(() => (
    countMarks(beats, spacing, frame.startFrame, frame.endFrame, frame.framesPerPixel)
  ), [beats, spacing, frame]);
}

/** The numbers; hidden from screen readers, as the times are. */
export function StageCounts({ beats }: StageCountsProps): JSX.Element {
  const frame = useFrame();
  const marks = useMarks(beats);
  return (
    <div className="stage-counts time" aria-hidden="true" data-testid="stage-counts">
      <StageLayer className="stage-counts-layer">
        <svg className="stage-count-lines" width="1" height="1">
          <Lines frame={frame} marks={marks} height={longPixels} />
          {/* One text: each of its digits, which are single, has a place of its own. */}
          <text y="1.1em" x={marks.countLabels.map((label) => (placeOf(frame, label.frame) + 4).toFixed(1)).join(' ')}>
            {marks.countLabels.map(({ text }) => text).join('')}
          </text>
        </svg>
        {marks.eightLabels.map(({ frame: at, text }) => (
          <b key={at} style={pixels({ '--at': placeOf(frame, at) })}>{text}</b>
        ))}
      </StageLayer>
    </div>
  );
}

/** The lines through the wave, as high as the layer that they are in. */
export function CountLines({ beats }: StageCountsProps): JSX.Element {
  const frame = useFrame();
  const marks = useMarks(beats);
  return (
    <svg className="stage-count-lines" width="1" height="100%" viewBox="0 0 1 1" preserveAspectRatio="none">
      <Lines frame={frame} marks={marks} height={1} />
    </svg>
  );
}

/** One path of each kind: an element for each line would make the zoom slow. */
function Lines({ frame, marks, height }: { frame: Frame; marks: CountMarks; height: number }): JSX.Element {
  const lines = (frames: readonly number[]): string => (
    frames.map((at) => `M${placeOf(frame, at).toFixed(1)} 0v${height}`).join('')
  );
  return (
    <>
      <path className="is-count" d={lines(marks.counts)} />
      <path className="is-eight" d={lines(marks.eights)} />
    </>
  );
}
