// The comments on a part's track in the player: a button that writes one at the moment that is heard, and each that is
// there, bright while its moment is heard.

import { useEffect, useRef } from 'react';
import { usePlayhead } from '../parts/usePlayhead';
import { useFromLibrary, useServices } from '../services/services';
import type { Part } from '../sync/records';
import type { Stretch } from '../timeline';
import { Icon } from '../ui/Icon';
import { lateWords } from '../words/lateWords';
import { PersonName } from './CommentItem';
import './comments.css';
import { shownAt } from './places';
import { timeText } from './placeText';
import { usePeopleOf } from './troupe';
import { useShownIds, useTrackComments } from './useShownComments';

/** A part, and what of its track is played. */
export interface PlayedPart {
  readonly part: Part;
  readonly playable: Stretch;
}

/** The row of chips. */
export function CommentChips({ part, playable }: PlayedPart): JSX.Element {
  const services = useServices();
  const { player, navigation } = services;
  const comments = useTrackComments(part, playable);
  const space = useFromLibrary((library) => library.get('routine', part.routine)?.space);
  const people = usePeopleOf(space);
  const [shown, show] = useShownIds();
  const row = useRef<HTMLDivElement>(null);
  usePlayhead((frame) => show(shownAt(comments, frame)));
  useEffect(() => {
    const chip = row.current?.querySelector<HTMLElement>('.is-shown');
    if (chip && row.current) row.current.scrollLeft += chip.getBoundingClientRect().left - row.current.getBoundingClientRect().left - 8;
  }, [shown]);
  const text = lateWords.comments;
  return (
    <div className="comment-chips" role="group" aria-label={text.comments} data-testid="comment-chips">
      <button
        type="button" className="spot comment-here" data-testid="comment-here" aria-haspopup="dialog" aria-label={text.writeHere}
        onClick={() => navigation.open(`comment:at:${Math.round(player.position())}`)}
      >
        <Icon name="comment" size={20} />
        {comments.length === 0 ? text.write : <Icon name="plus" size={16} />}
      </button>
      {comments.length > 0 && <div className="spots" ref={row}>{comments.map((comment) => (
        <button
          key={comment.id} type="button" data-testid="comment-chip" aria-haspopup="dialog"
          className={shown.split(' ').includes(comment.id) ? 'spot comment-chip is-shown' : 'spot comment-chip'}
          onClick={() => {
            player.seek(comment.startFrame);
            navigation.open(`comment:show:${comment.id}`);
          }}
        >
          <span className="time">{timeText(services, part, comment.startFrame, comment.endFrame)}</span>
          <b><PersonName person={people.author(comment.author)} /></b>
          <bdi className="comment-begin">{comment.text}</bdi>
        </button>
      ))}</div>}
    </div>
  );
}
