// The sheets of this folder that are loaded later; app/lateScript.ts sets their source.

import { lazyPage } from '../ui/lazyPage';
import type { CallMoves } from './CallMoves';
import type { CallerSheet } from './CallerSheet';
import type { CountsSheet } from './CountsSheet';
import type { PracticeSheet } from './PracticeSheet';
import type { SpotSheet } from './SpotSheet';

/** The sheets of a part's practice settings. */
export const practiceSheet = lazyPage<Parameters<typeof PracticeSheet>[0]>('sheet');

/** The sheet that corrects the counts of a song. */
export const countsSheet = lazyPage<Parameters<typeof CountsSheet>[0]>('sheet');

/** What has the moves called. */
export const callMoves = lazyPage<Parameters<typeof CallMoves>[0]>('sheet');

/** The sheet of the caller. */
export const callerSheet = lazyPage<Parameters<typeof CallerSheet>[0]>('sheet');

/** The sheet of a spot. */
export const spotSheet = lazyPage<Parameters<typeof SpotSheet>[0]>('sheet');
