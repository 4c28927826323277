// The sheet of this folder that is loaded later; app/lateScript.ts sets its source.

import { lazyPage } from '../ui/lazyPage';
import type { Welcome } from './Welcome';

/** The three pages about Segmance. */
export const welcomeSheet = lazyPage<Parameters<typeof Welcome>[0]>('sheet');
