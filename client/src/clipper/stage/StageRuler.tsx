// The ruler: times as text, and small lines between them.

import { useMemo } from 'react';
import { rulerMarks } from './ruler';
import { pixels, placeOf, StageLayer, useFrame } from './StageLayer';

/** The times above the wave; hidden from screen readers, which read them from the handles. */
export function StageRuler({ lengthFrames }: { lengthFrames: number }): JSX.Element {
  const frame = useFrame();
  const marks = useMemo(() => (
    rulerMarks(frame.startFrame, frame.endFrame, lengthFrames, frame.framesPerPixel)
  ), [frame, lengthFrames]);
  const lines = (frames: readonly number[]): string => (
    frames.map((at) => `M${placeOf(frame, at).toFixed(2)} 0v8`).join('')
  );
  return (
    <div className="stage-ruler time" aria-hidden="true">
      <StageLayer className="stage-ruler-layer">
        <svg className="stage-ruler-lines" width="1" height="8">
          <path d={lines(marks.small)} />
          <path className="is-labelled" d={lines(marks.labels.map((label) => label.frame))} />
        </svg>
        {marks.labels.map(({ frame: at, text }) => (
          <span key={at} style={pixels({ '--at': placeOf(frame, at) })}>{text}</span>
        ))}
      </StageLayer>
    </div>
  );
}
