// The sheets of this folder whose code is fetched later; app/lazyPages.ts says from where.

import { lazyPage } from '../ui/lazyPage';
import type { AddMove } from './AddMove';
import type { ChooseType } from './ChooseType';

/** The sheet that adds moves. */
export const addMoveSheet = lazyPage<Parameters<typeof AddMove>[0]>('The new move', true);

/** The sheet over a move's type. */
export const chooseTypeSheet = lazyPage<Parameters<typeof ChooseType>[0]>('The move types', true);
