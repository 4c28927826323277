// The sheet of this folder that is loaded later; app/lateScript.ts sets its source.

import { lazyPage } from '../ui/lazyPage';
import type { JumpTo } from './JumpTo';

/** The grid of a routine's parts. */
export const jumpTo = lazyPage<Parameters<typeof JumpTo>[0]>('sheet');
