// Eights and counts: numbers in a row above the wave, and lines through both.

import { useMemo } from 'react';
import type { Beat } from '../../counts/grid';
import { countMarks, spacingOf, type CountMarks } from './countMarks';
import { pixels, placeOf, StageLayer, useFrame } from './StageLayer';

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
  const { eightLabels, countLabels } = useMarks(beats);
  return (
    <div className="stage-counts time" aria-hidden="true" data-testid="stage-counts">
      <StageLayer className="stage-counts-layer">
        <CountLines beats={beats} />
        {eightLabels.map(({ frame: at, text }) => (
          <b key={at} style={pixels({ '--at': placeOf(frame, at) })}>{text}</b>
        ))}
        {countLabels.map(({ frame: at, text }) => (
          <span key={at} style={pixels({ '--at': placeOf(frame, at) })}>{text}</span>
        ))}
      </StageLayer>
    </div>
  );
}

/** The lines, as high as the layer that they are in. One path of each kind: elements would be slow. */
export function CountLines({ beats }: StageCountsProps): JSX.Element {
  const frame = useFrame();
  const marks = useMarks(beats);
  const lines = (frames: readonly number[]): string => (
    frames.map((at) => `M${placeOf(frame, at).toFixed(2)} 0v1`).join('')
  );
  return (
    <svg
      className="stage-count-lines" width="1" height="100%" viewBox="0 0 1 1" preserveAspectRatio="none"
      data-eights={marks.eights.length} data-counts={marks.counts.length}
    >
      <path className="is-count" d={lines(marks.counts)} />
      <path className="is-eight" d={lines(marks.eights)} />
    </svg>
  );
}
