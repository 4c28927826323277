// The components that the page of a routine loads later; app/lazyPages.ts sets their source.

import type { RemoteOnPage } from '../remote/RemoteOnPage';
import type { EditRoutine } from '../routines/EditRoutine';
import { lazyPage } from '../ui/lazyPage';
import type { VideoOnPage } from '../video/VideoOnPage';
import { words } from '../words/words';

/** The sheet that edits a routine. */
export const editRoutine = lazyPage<Parameters<typeof EditRoutine>[0]>(() => words.routinePage.editor, true);

/** Remote control, on the page of a routine. */
export const remoteOnPage = lazyPage<Parameters<typeof RemoteOnPage>[0]>(() => words.routinePage.remote, true);

/** A part's video, over the routine's page. */
export const videoOnPage = lazyPage<Parameters<typeof VideoOnPage>[0]>(() => words.routinePage.video, true);
