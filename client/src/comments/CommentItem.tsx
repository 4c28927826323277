// One comment: who wrote it, when, and what; its author edits it, and who may edit the routine deletes it.

import { mayEditRoutine, useServices } from '../services/services';
import type { Comment } from '../sync/records';
import { MenuButton } from '../ui/MenuButton';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import './comments.css';
import { pieces } from './mentions';
import { isBy, mentionsOf } from './places';
import { whenText } from './placeText';
import type { People, Shown } from './troupe';

/** The name of somebody; who is not here any more has none. */
export function PersonName({ person }: { person: Shown | null }): JSX.Element {
  if (person === null) return <span>{'…'}</span>;
  return person.name === '' ? <span>{lateWords.comments.left}</span> : <bdi>{person.name}</bdi>;
}

/** The text with the names of those whom it mentions. */
export function CommentText({ comment, people }: { comment: Comment; people: People }): JSX.Element {
  const named = people.members.filter(({ id }) => mentionsOf(comment).includes(id));
  return (
    <>
      {pieces(comment.text, named).map(({ text, person }, at) => (
        person === null ? text : <b key={at} className={person === people.me ? 'mention is-me' : 'mention'}>{text}</b>
      ))}
    </>
  );
}

interface CommentItemProps {
  readonly comment: Comment;
  readonly people: People;
  readonly isNew?: boolean;
}

/** The comment. */
export function CommentItem({ comment, people, isNew = false }: CommentItemProps): JSX.Element {
  const { library, navigation } = useServices();
  const text = lateWords.comments;
  const author = people.author(comment.author);
  const isMine = isBy(people.me, comment);
  const mayDelete = isMine || mayEditRoutine(library, comment.routine);
  const remove = (): void => {
    const undo = library.remove('comment', comment.id);
    toasts.say(text.deleted, { action: { label: words.common.undo, run: undo } });
  };
  return (
    <article className="comment" data-testid="comment" data-id={comment.id}>
      <header className="comment-head">
        <i className="comment-colour" style={author?.colour ? { backgroundColor: author.colour } : undefined} />
        <b><PersonName person={author} /></b>
        <small className="time">{whenText(comment.createdAt, Date.now())}</small>
        {isNew && <b className="comment-new" data-testid="comment-is-new">{text.isNew}</b>}
        {mayDelete && (
          <MenuButton
            label={text.more(author?.name ?? '')} menuLabel={text.comment} testId="comment-menu"
            items={() => [
              ...(isMine ? [{
                label: words.common.edit, icon: 'edit' as const, testId: 'comment-edit',
                run: () => navigation.open(`comment:edit:${comment.id}`),
              }] : []),
              { label: words.common.delete, icon: 'trash', isDangerous: true, testId: 'comment-delete', run: remove },
            ]}
          />
        )}
      </header>
      <p className="comment-text" dir="auto" data-testid="comment-text"><CommentText comment={comment} people={people} /></p>
    </article>
  );
}
