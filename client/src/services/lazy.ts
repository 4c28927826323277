// The sheet of this folder that is loaded later; app/lateScript.ts sets its source.

import { lazyPage } from '../ui/lazyPage';
import type { VersionsSheet } from './VersionsSheet';

/** The sheet with the earlier texts of a record. */
export const versionsSheet = lazyPage<Parameters<typeof VersionsSheet>[0]>('sheet');
