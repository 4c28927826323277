// The sheet of this folder whose code is fetched later; app/lazyPages.ts says from where.

import { lazyPage } from '../ui/lazyPage';
import type { ExportSheet } from './ExportSheet';

/** The sheet with the exports. */
export const exportSheet = lazyPage<Parameters<typeof ExportSheet>[0]>('The export', true);
