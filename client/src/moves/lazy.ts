// The sheet of this folder whose code is fetched later; app/lazyPages.ts says from where.

import { lazyPage } from '../ui/lazyPage';
import type { AddMove } from './AddMove';

/** The sheet that adds moves. */
export const addMoveSheet = lazyPage<Parameters<typeof AddMove>[0]>('The new move', true);
