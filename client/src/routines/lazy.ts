// The sheet of this folder that is loaded later; app/lazyPages.ts sets its source.

import { lazyPage } from '../ui/lazyPage';
import type { ExportSheet } from './ExportSheet';

/** The sheet with the exports. */
export const exportSheet = lazyPage<Parameters<typeof ExportSheet>[0]>('sheet');
