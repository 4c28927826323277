// The note that is loaded later; app/lateScript.ts sets its source.

import { lazyPage } from '../ui/lazyPage';

/** Who leads what now, with a button to join. */
export const leadNote = lazyPage<object>('sheet');
