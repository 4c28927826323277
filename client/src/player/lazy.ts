// The sheets of this folder whose code is fetched later; app/lazyPages.ts says from where.

import { lazyPage } from '../ui/lazyPage';
import type { PracticeSheet } from './PracticeSheet';

/** The sheets of a part's practice settings. */
export const practiceSheet = lazyPage<Parameters<typeof PracticeSheet>[0]>('This sheet', true);
