// The sheet that is loaded later; app/lateScript.ts sets its source.

import { lazyPage } from '../ui/lazyPage';
import type { Routine } from '../sync/records';

/** What the sheet needs. */
export interface ShareSheetProps {
  readonly routine: Routine;
  readonly onClose: () => void;
}

/** The sheet that shares a routine with people. */
export const shareSheet = lazyPage<ShareSheetProps>('sheet');
