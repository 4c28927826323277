// The comments of the moment that is seen, over a picture.

import { usePlayheadOf, type PlayheadSource } from '../parts/usePlayhead';
import { useFromLibrary } from '../services/services';
import type { Part } from '../sync/records';
import { CommentText, PersonName } from './CommentItem';
import './comments.css';
import { shownAt } from './places';
import { usePeopleOf } from './troupe';
import { useCompany } from './useCompany';
import { useShownIds, useTrackComments } from './useShownComments';

interface PictureCommentsProps {
  readonly part: Part;
  /** Tells the frame of the part's track that is seen; below 0 for none. */
  readonly source: PlayheadSource;
}

const everything = { startFrame: 0, endFrame: Number.MAX_SAFE_INTEGER };

/** The lines; nothing while no comment is at the moment. */
export function PictureComments({ part, source }: PictureCommentsProps): JSX.Element | null {
  const hasCompany = useCompany(part.routine);
  const comments = useTrackComments(part, everything);
  const space = useFromLibrary((library) => library.get('routine', part.routine)?.space);
  const people = usePeopleOf(space);
  const [ids, show] = useShownIds();
  usePlayheadOf(source, (frame) => show(frame < 0 ? [] : shownAt(comments, frame)));
  const shown = comments.filter(({ id }) => ids.split(' ').includes(id)).slice(-2);
  if (!hasCompany || shown.length === 0) return null;
  return (
    <div className="picture-comments" data-testid="picture-comments">
      {shown.map((comment) => (
        <p key={comment.id} dir="auto">
          <b><PersonName person={people.author(comment.author)} /></b>
          {' '}
          <CommentText comment={comment} people={people} />
        </p>
      ))}
    </div>
  );
}
