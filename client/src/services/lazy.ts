// The sheet of this folder whose code is fetched later; app/lazyPages.ts says from where.

import { lazyPage } from '../ui/lazyPage';
import type { VersionsSheet } from './VersionsSheet';

/** The sheet with the earlier texts of a record. */
export const versionsSheet = lazyPage<Parameters<typeof VersionsSheet>[0]>('The earlier versions', true);
