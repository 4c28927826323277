// The sheets of this folder that are loaded later; app/lazyPages.ts sets their source.

import { lazyPage } from '../ui/lazyPage';
import type { AddMove } from './AddMove';
import type { ChooseType } from './ChooseType';
import type { MoveCounts } from './MoveCounts';
import type { MoveEights } from './MoveEights';
import type { RecordName } from './RecordName';
import type { TapMoves } from './TapMoves';

/** The sheet that adds moves. */
export const addMoveSheet = lazyPage<Parameters<typeof AddMove>[0]>('sheet');

/** The sheet for a move's type. */
export const chooseTypeSheet = lazyPage<Parameters<typeof ChooseType>[0]>('sheet');

/** The sheet that lays a move on counts. */
export const moveCountsSheet = lazyPage<Parameters<typeof MoveCounts>[0]>('sheet');

/** The sheet that records a move's name. */
export const recordNameSheet = lazyPage<Parameters<typeof RecordName>[0]>('sheet');

/** The sheet that lays all moves by taps. */
export const tapMovesSheet = lazyPage<Parameters<typeof TapMoves>[0]>('sheet');

/** The moves on the eights of their part. */
export const moveEightsView = lazyPage<Parameters<typeof MoveEights>[0]>();
