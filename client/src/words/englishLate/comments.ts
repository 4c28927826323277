// English: the later words of `comments`.

import { counted, number } from '../format';

/** The section `comments`. */
export const comments = {
  comment: 'Comment',
  comments: 'Comments',
  write: 'Comment',
  writeOn: (move: string) => `Comment on “${move}”`,
  writeHere: 'Comment at this moment',
  edit: 'Edit the comment',
  hint: 'What do you want to say? @ names somebody.',
  people: 'People to name',
  where: 'Where',
  moment: (time: string) => `This moment, ${time}`,
  eight: (eight: number) => (eight < 1 ? 'before the first eight' : `eight ${number(eight)}`),
  thisEight: (eight: number) => (eight < 1 ? 'Before the first eight' : `Eight ${number(eight)}`),
  onMove: (part: number, move: number, title: string) => `Part ${number(part)}, move ${number(move)}: ${title}`,
  inPart: (part: number, time: string) => `Part ${number(part)}, ${time}`,
  onPart: (part: number, title: string) => `Part ${number(part)}: ${title}`,
  commentsOn: (count: number, move: string) => `${counted(count, 'comment', 'comments')} on “${move}”`,
  newOnes: (count: number) => counted(count, 'new comment', 'new comments'),
  newSince: 'New since you last looked',
  seen: 'Seen before',
  isNew: 'New',
  forYou: 'For you',
  none: 'Nobody has said anything here yet. Comment on a move, or in the player at the moment that you hear.',
  left: 'somebody who left',
  more: (author: string) => (author === '' ? 'More for this comment' : `More for the comment by ${author}`),
  deleted: 'The comment was deleted.',
};
