// The comments of a move on its card: their number, and below it, opened, what they say.

import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import type { Move } from '../sync/records';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { lateWords } from '../words/lateWords';
import { CommentItem } from './CommentItem';
import './comments.css';
import { askFor, useAskedFor } from './opened';
import { newComments, seenUntil } from './places';
import { usePeopleOf } from './troupe';

interface MoveCommentsProps {
  readonly move: Move;
  readonly routineId: string;
  /** Whether the card has no menu in which one can be written, so that the button stays without any. */
  readonly isAlways: boolean;
}

/** The button and the comments. */
export function MoveComments({ move, routineId, isAlways }: MoveCommentsProps): JSX.Element | null {
  const { navigation } = useServices();
  const all = useFromLibrary((library) => library.comments(routineId));
  const comments = useMemo(() => all.filter((comment) => comment.move === move.id), [all, move.id]);
  const routine = useFromLibrary((library) => library.get('routine', routineId));
  const spaces = useFromLibrary((library) => library.spaces);
  const people = usePeopleOf(routine?.space);
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const listId = useId();
  const asked = useAskedFor();
  const isAsked = asked !== null && comments.some(({ id }) => id === asked);
  useEffect(() => {
    if (!isAsked) return undefined;
    setOpen(true);
    // After the page has turned to the part, and the sheet is gone.
    const request = requestAnimationFrame(() => {
      box.current?.closest('.move')?.scrollIntoView({ block: 'center' });
      askFor(null);
    });
    return () => cancelAnimationFrame(request);
  }, [isAsked]);
  const text = lateWords.comments;
  const write = (): void => navigation.open(`comment:move:${move.id}`);
  if (comments.length === 0) {
    return !isAlways ? null : (
      <div className="move-comments">
        <button type="button" className="comment-count" aria-haspopup="dialog" aria-label={text.writeOn(move.title)} title={text.write} data-testid="comment-write" onClick={write}>
          <Icon name="comment" size={20} />
        </button>
      </div>
    );
  }
  const news = newComments(comments, people.me, seenUntil(routine?.commentsSeen, spaces.find(({ id }) => id === routine?.space)));
  return (
    <div className="move-comments" ref={box} data-testid="move-comments">
      <button
        type="button" className={news.length > 0 ? 'comment-count has-new' : 'comment-count'} aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined} aria-label={text.commentsOn(comments.length, move.title)} data-testid="comment-count"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="comment" size={20} />
        <span className="time">{comments.length}</span>
      </button>
      {isOpen && (
        <div className="comment-list" id={listId}>
          {comments.map((comment) => <CommentItem key={comment.id} comment={comment} people={people} isNew={news.includes(comment)} />)}
          <Button isSmall kind="quiet" icon="plus" data-testid="comment-write" aria-haspopup="dialog" onClick={write}>{text.write}</Button>
        </div>
      )}
    </div>
  );
}
