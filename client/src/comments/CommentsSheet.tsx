// What is said about a routine: what is new, and then everything in the order of the routine. A press leads to the place.

import { useEffect, useState } from 'react';
import { NotifyButton } from '../notifications/NotifyDevice';
import { useServices } from '../services/services';
import type { Routine } from '../sync/records';
import { Button } from '../ui/Button';
import { Sheet } from '../ui/Sheet';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { CommentText, PersonName } from './CommentItem';
import './comments.css';
import { byPlace, latestOf, mentionsOf, newComments } from './places';
import { placeText, whenText } from './placeText';
import type { Placed, RoutineComments } from './useComments';

interface CommentsSheetProps {
  readonly routine: Routine;
  readonly comments: RoutineComments;
  readonly onClose: () => void;
  readonly onGo: (placed: Placed) => void;
}

/** The sheet. What it shows counts as seen, while the page is visible. */
export function CommentsSheet({ routine, comments: { placed, people, seen }, onClose, onGo }: CommentsSheetProps): JSX.Element {
  const { library, navigation } = useServices();
  const text = lateWords.comments;
  // What is new when it opens, and what comes meanwhile, stays new as long as it is open.
  const [seenBefore] = useState(seen);
  const all = placed.map(({ comment }) => comment);
  const news = newComments(all, people.me, seenBefore);
  const latest = latestOf(all);
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible' && latest > seen) library.edit('routine', routine.id, { commentsSeen: latest });
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [library, routine.id, latest, seen]);
  const placeOf = new Map(placed.map((each) => [each.comment.id, each]));
  const fresh = news.flatMap(({ id }) => placeOf.get(id) ?? []);
  const rest = byPlace(placed.filter(({ comment }) => !news.includes(comment)));
  const list = (shown: readonly Placed[], isNew: boolean): JSX.Element => (
    <ul className="comment-rows">
      {shown.map((each) => <Row key={each.comment.id} placed={each} isNew={isNew} people={people} onGo={onGo} />)}
    </ul>
  );
  return (
    <Sheet title={text.comments} size="tall" onClose={onClose} testId="comments-sheet">
      {placed.length === 0 && <p className="note" data-testid="no-comments">{text.none}</p>}
      {fresh.length > 0 && (
        <section data-testid="comments-new">
          <h3 className="rows-title">{text.newSince}</h3>
          {list(fresh, true)}
        </section>
      )}
      {rest.length > 0 && (
        <section data-testid="comments-rest">
          {fresh.length > 0 && <h3 className="rows-title">{text.seen}</h3>}
          {list(rest, false)}
        </section>
      )}
      <NotifyButton />
      <Button kind="quiet" icon="history" className="comments-changes" data-testid="comments-changes" onClick={() => navigation.open('changes')}>
        {words.routinePage.whatChanged}
      </Button>
    </Sheet>
  );
}

function Row({ placed, isNew, people, onGo }: {
  placed: Placed; isNew: boolean; people: RoutineComments['people']; onGo: (placed: Placed) => void;
}): JSX.Element {
  const services = useServices();
  const { comment, place } = placed;
  const text = lateWords.comments;
  const author = people.author(comment.author);
  const isMention = mentionsOf(comment).includes(people.me);
  return (
    <li>
      <button type="button" className={isMention ? 'comment-row is-mention' : 'comment-row'} data-testid="comment-row" onClick={() => onGo(placed)}>
        <span className="comment-head">
          <i className="comment-colour" style={author?.colour ? { backgroundColor: author.colour } : undefined} />
          <b><PersonName person={author} /></b>
          <small className="time">{whenText(comment.createdAt, Date.now())}</small>
          {isNew && <b className="comment-new" data-testid="comment-is-new">{isMention ? text.forYou : text.isNew}</b>}
        </span>
        <small className="comment-place" dir="auto">{placeText(services, place)}</small>
        <span className="comment-text" dir="auto"><CommentText comment={comment} people={people} /></span>
      </button>
    </li>
  );
}
