// The sheet of this folder that is loaded later; app/lazyPages.ts sets its source.

import { lazyPage } from '../ui/lazyPage';
import { words } from '../words/words';
import type { Welcome } from './Welcome';

/** The three pages about Segmance. */
export const welcomeSheet = lazyPage<Parameters<typeof Welcome>[0]>(() => words.guide.welcomeSheet, true);
