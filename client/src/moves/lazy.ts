// What of this folder is loaded later; app/lateScript.ts sets its source.

import { lazyPage } from '../ui/lazyPage';
import type { MoveEights } from './MoveEights';
import type { MoveSheets } from './MoveSheets';
import type { ReadMoves } from './ReadMoves';

/** The sheets for a routine's moves. */
export const moveSheets = lazyPage<Parameters<typeof MoveSheets>[0]>('sheet');

/** Whether an overlay is one of these sheets. */
export const isMoveSheet = (overlay: string): boolean => (
  /^(addMove|tapMoves|type|moveCounts|recordName|moveTo|copyTo)(:|$)/.test(overlay)
);

/** The moves where nobody may edit them. */
export const readMovesView = lazyPage<Parameters<typeof ReadMoves>[0]>();

/** The moves on the eights of their part. */
export const moveEightsView = lazyPage<Parameters<typeof MoveEights>[0]>();
