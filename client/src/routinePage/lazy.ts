// The components that the page of a routine loads later; app/lateScript.ts sets their source.

import type { LeadOnPage } from '../lead/LeadOnPage';
import type { LedSession } from '../plans/LedSession';
import type { PractiseSheet } from '../plans/PractiseSheet';
import type { RecordPractice } from '../practiceLog/RecordPractice';
import type { RemoteOnPage } from '../remote/RemoteOnPage';
import type { EditRoutine } from '../routines/EditRoutine';
import type { RunThroughOnPage } from '../runThrough/RunThroughOnPage';
import type { StageView } from '../stageView/StageView';
import { lazyPage } from '../ui/lazyPage';
import type { VideoOnPage } from '../video/VideoOnPage';

/** The sheet that edits a routine. */
export const editRoutine = lazyPage<Parameters<typeof EditRoutine>[0]>('sheet');

/** Remote control, on the page of a routine. */
export const remoteOnPage = lazyPage<Parameters<typeof RemoteOnPage>[0]>('sheet');

/** Leading and following, on the page of a routine. */
export const leadOnPage = lazyPage<Parameters<typeof LeadOnPage>[0]>('sheet');

/** Run-throughs, on the page of a routine. */
export const runThroughOnPage = lazyPage<Parameters<typeof RunThroughOnPage>[0]>('sheet');

/** The record of what is practised. */
export const recordPractice = lazyPage<Parameters<typeof RecordPractice>[0]>('sheet');

/** A part's video, over the routine's page. */
export const videoOnPage = lazyPage<Parameters<typeof VideoOnPage>[0]>('sheet');

/** What is proposed to practise. */
export const practiseSheet = lazyPage<Parameters<typeof PractiseSheet>[0]>('sheet');

/** A led session, over the routine's page. */
export const ledSession = lazyPage<Parameters<typeof LedSession>[0]>('sheet');

/** The stage view, over the routine's page. */
export const stageView = lazyPage<Parameters<typeof StageView>[0]>('sheet');
