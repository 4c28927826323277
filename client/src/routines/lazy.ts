// The sheets of this folder that are loaded later; app/lateScript.ts sets their source.

import { lazyPage } from '../ui/lazyPage';
import type { ChangesSheet } from './ChangesSheet';
import type { ExportSheet } from './ExportSheet';
import type { RoutineEditor } from './RoutineEditor';

/** The sheet with the exports. */
export const exportSheet = lazyPage<Parameters<typeof ExportSheet>[0]>('sheet');

/** The sheet with a new routine. */
export const routineEditor = lazyPage<Parameters<typeof RoutineEditor>[0]>('sheet');

/** The sheet with what has changed in a routine. */
export const changesSheet = lazyPage<Parameters<typeof ChangesSheet>[0]>('sheet');
