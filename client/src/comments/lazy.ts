// What of this folder is loaded later; app/lateScript.ts sets its source.

import { lazyPage } from '../ui/lazyPage';
import type { CommentChips } from './CommentChips';
import type { CommentMarks } from './CommentMarks';
import type { CommentsOnPage } from './CommentsOnPage';
import type { MoveComments } from './MoveComments';
import type { NewBadge } from './NewBadge';

/** The number of new comments on a routine's card. */
export const newBadge = lazyPage<Parameters<typeof NewBadge>[0]>('mark');

/** The comments of a move, on its card. */
export const moveComments = lazyPage<Parameters<typeof MoveComments>[0]>('mark');

/** The comments of a part in the player. */
export const commentChips = lazyPage<Parameters<typeof CommentChips>[0]>('mark');

/** The same on the waveform. */
export const commentMarks = lazyPage<Parameters<typeof CommentMarks>[0]>('mark');

/** What is new, and the sheets of comments, on a routine's page. */
export const commentsOnPage = lazyPage<Parameters<typeof CommentsOnPage>[0]>('mark');
