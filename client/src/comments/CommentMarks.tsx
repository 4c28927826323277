// The comments of a part below its waveform: a dot at each moment, a line along each stretch.

import { fractionOf } from '../parts/progress';
import './comments.css';
import type { PlayedPart } from './CommentChips';
import { useTrackComments } from './useShownComments';

/** The marks. */
export function CommentMarks({ part, playable }: PlayedPart): JSX.Element {
  const comments = useTrackComments(part, playable);
  return (
    <>
      {comments.map(({ id, startFrame, endFrame }) => {
        const from = fractionOf(Math.max(startFrame, playable.startFrame), playable);
        const to = endFrame == null ? from : fractionOf(Math.min(endFrame, playable.endFrame), playable);
        return (
          <i
            key={id} className={endFrame == null ? 'comment-mark' : 'comment-mark is-stretch'} data-testid="comment-mark"
            style={{ left: `${from * 100}%`, width: endFrame == null ? undefined : `${(to - from) * 100}%` }}
          />
        );
      })}
    </>
  );
}
