// The number of new comments on a routine's card.

import type { Routine } from '../sync/records';
import { Icon } from '../ui/Icon';
import { lateWords } from '../words/lateWords';
import './comments.css';
import { mentionsOf } from './places';
import { useComments } from './useComments';

/** The badge; nothing without new ones. */
export function NewBadge({ routine }: { routine: Routine }): JSX.Element | null {
  const { news, people } = useComments(routine.id);
  if (news.length === 0) return null;
  const isMentioned = news.some((comment) => mentionsOf(comment).includes(people.me));
  const text = lateWords.comments;
  return (
    <span className="card-news" data-testid="card-new" data-mention={isMentioned}>
      <Icon name="comment" size={16} />
      {text.newOnes(news.length)}
      {isMentioned && <b>{text.forYou}</b>}
    </span>
  );
}
