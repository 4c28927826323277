// The sheets of this folder that are loaded later; app/lazyPages.ts sets their source.

import { lazyPage } from '../ui/lazyPage';
import type { AddMove } from './AddMove';
import type { ChooseType } from './ChooseType';

/** The sheet that adds moves. */
export const addMoveSheet = lazyPage<Parameters<typeof AddMove>[0]>('sheet');

/** The sheet for a move's type. */
export const chooseTypeSheet = lazyPage<Parameters<typeof ChooseType>[0]>('sheet');
