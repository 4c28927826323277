// The sheet of this folder that is loaded later; app/lazyPages.ts sets its source.

import { lazyPage } from '../ui/lazyPage';
import type { LinksSheet } from './LinksSheet';

/** The sheet that shares a routine by links. */
export const linksSheet = lazyPage<Parameters<typeof LinksSheet>[0]>('sheet');
