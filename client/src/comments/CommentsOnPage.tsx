// Comments on a routine's page: the row that says what is new, and the sheets.

import { useEffect } from 'react';
import { partAudio } from '../parts/partAudio';
import { usePlace, useServices } from '../services/services';
import type { Part, Routine } from '../sync/records';
import { Icon } from '../ui/Icon';
import { Sheet } from '../ui/Sheet';
import { useMedia, wideScreen } from '../ui/useMedia';
import { lateWords } from '../words/lateWords';
import { CommentItem } from './CommentItem';
import './comments.css';
import { CommentsSheet } from './CommentsSheet';
import { askFor, leftRoutine, useAskedFor } from './opened';
import { isBy, mentionsOf } from './places';
import { eightAt, placeText, timeText } from './placeText';
import { useComments, type Placed, type RoutineComments } from './useComments';
import { WriteComment, type Choice } from './WriteComment';

interface CommentsOnPageProps {
  readonly routine: Routine;
  /** The part that is shown. */
  readonly part: Part | undefined;
  readonly onShow: (partIndex: number) => void;
}

/** The row and the open sheet. */
export function CommentsOnPage({ routine, part, onShow }: CommentsOnPageProps): JSX.Element {
  const services = useServices();
  const { navigation, player, library } = services;
  const { overlays } = usePlace();
  const comments = useComments(routine.id);
  const isWide = useMedia(wideScreen);
  const asked = useAskedFor();
  const target = comments.placed.find(({ comment }) => comment.id === asked);
  const frame = target?.place.startFrame ?? null;
  const isThere = target !== undefined && frame !== null && part?.id === target.place.part.id;
  useEffect(() => {
    if (!isThere || frame === null || !part) return;
    // The player has loaded the part by now: its effects come before those of the page.
    if (partAudio(part, part.track ? library.get('track', part.track) : undefined).kind === 'ready') player.seek(frame);
    // On a phone the moment is in the large player.
    if (!isWide) navigation.open('player');
    askFor(null);
  }, [isThere, frame]);
  useEffect(() => () => leftRoutine(routine.id), [routine.id]);
  const go = ({ comment, place }: Placed): void => {
    navigation.close('comments');
    onShow(place.partIndex);
    askFor(comment.id);
  };
  const { news, people } = comments;
  const isMentioned = news.some((comment) => mentionsOf(comment).includes(people.me));
  const text = lateWords.comments;
  const overlay = overlays.find((name): name is `comment:${string}` => name.startsWith('comment:'));
  return (
    <>
      {news.length > 0 && (
        <button type="button" className="comments-news" data-testid="comments-news" aria-haspopup="dialog" onClick={() => navigation.open('comments')}>
          <Icon name="comment" size={20} />
          <span>{text.newOnes(news.length)}</span>
          {isMentioned && <b>{text.forYou}</b>}
          <Icon name="next" size={18} />
        </button>
      )}
      {overlays.includes('comments') && (
        <CommentsSheet routine={routine} comments={comments} onClose={() => navigation.close('comments')} onGo={go} />
      )}
      {overlay !== undefined && (
        <OneSheet
          key={overlay} overlay={overlay} routine={routine} part={part} comments={comments} onClose={() => navigation.close(overlay)}
        />
      )}
    </>
  );
}

interface OneSheetProps {
  /** `comment:` and `move:` or `edit:` or `show:` with an id, or `at:` with a frame of the shown part. */
  readonly overlay: `comment:${string}`;
  readonly routine: Routine;
  readonly part: Part | undefined;
  readonly comments: RoutineComments;
  readonly onClose: () => void;
}

function OneSheet({ overlay, routine, part, comments, onClose }: OneSheetProps): JSX.Element | null {
  const services = useServices();
  const [, kind, id = ''] = overlay.split(':');
  const found = comments.placed.find(({ comment }) => comment.id === id);
  const text = lateWords.comments;
  if (kind === 'move') {
    return <WriteComment routine={routine} choices={[{ label: '', target: { move: id } }]} comment={null} onClose={onClose} />;
  }
  if (kind === 'at') return part ? <WriteAt frame={Number(id)} routine={routine} part={part} onClose={onClose} /> : null;
  if (!found) return <Gone onClose={onClose} />;
  const { comment, place } = found;
  if (kind === 'edit' && isBy(comments.people.me, comment)) {
    return <WriteComment routine={routine} choices={[{ label: '', target: comment }]} comment={comment} onClose={onClose} />;
  }
  return (
    <Sheet title={text.comment} onClose={onClose} testId="comment-shown">
      <p className="comment-place" dir="auto">{placeText(services, place)}</p>
      <CommentItem comment={comment} people={comments.people} />
    </Sheet>
  );
}

/** Writes at a moment of a part, or on the eight around it. The part of the first moment stays. */
function WriteAt({ frame, routine, part, onClose }: { frame: number; routine: Routine; part: Part; onClose: () => void }): JSX.Element {
  const services = useServices();
  const text = lateWords.comments;
  const eight = eightAt(services, part, frame);
  const choices: Choice[] = [{
    label: text.moment(timeText(services, part, frame, null)), target: { part: part.id, startFrame: frame },
  }];
  if (eight) {
    choices.push({
      label: text.thisEight(eight.number), target: { part: part.id, startFrame: eight.startFrame, endFrame: eight.endFrame },
    });
  }
  return <WriteComment routine={routine} choices={choices} comment={null} onClose={onClose} />;
}

/** Closes the sheet of a comment that was deleted. */
function Gone({ onClose }: { onClose: () => void }): null {
  useEffect(() => onClose(), []);
  return null;
}
