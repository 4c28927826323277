// The one script that is fetched later, as the source of every page and sheet in it.

import { commentChips, commentMarks, commentsOnPage, moveComments, newBadge } from '../comments/lazy';
import { welcomeSheet } from '../guide/lazy';
import { linksSheet } from '../links/lazy';
import { moveEightsView, moveSheets, readMovesView } from '../moves/lazy';
import { jumpTo } from '../parts/lazy';
import { leadNote } from '../status/lazy';
import { shareSheet } from '../people/lazy';
import { callerSheet, callMoves, countsSheet, practiceSheet, spotSheet } from '../player/lazy';
import {
  editRoutine, leadOnPage, ledSession, practiseSheet, recordPractice, remoteOnPage, runThroughOnPage, stageView, videoOnPage,
} from '../routinePage/lazy';
import { changesSheet, exportSheet, routineEditor } from '../routines/lazy';
import { versionsSheet } from '../services/lazy';
import {
  clipperPage, cutPage, devicesPage, doorPage, groupsPage, keyboardHelp, peoplePage, progressPage, settingsPage,
} from './lazyPages';

type LateBundle = typeof import('./lateBundle');
let loaded: LateBundle | null = null;

/** Loads the one script of all that the first screen does not need, and its words. */
export async function late(): Promise<LateBundle> {
  loaded = await import('./lateBundle');
  await loaded.speakLate().catch(reportError);
  return loaded;
}

/** Returns that script to code that runs only when it is loaded. */
export function loadedLate(): LateBundle {
  if (loaded === null) throw new Error('The later script is not loaded.');
  return loaded;
}

clipperPage.from(() => late().then((module) => module.ClipperPage));
cutPage.from(() => late().then((module) => module.CutPage));
progressPage.from(() => late().then((module) => module.ProgressPage));
settingsPage.from(() => late().then((module) => module.SettingsPage));
devicesPage.from(() => late().then((module) => module.DevicesPage));
peoplePage.from(() => late().then((module) => module.PeoplePage));
groupsPage.from(() => late().then((module) => module.GroupsPage));
shareSheet.from(() => late().then((module) => module.ShareSheet));
newBadge.from(() => late().then((module) => module.NewBadge));
moveComments.from(() => late().then((module) => module.MoveComments));
commentChips.from(() => late().then((module) => module.CommentChips));
commentMarks.from(() => late().then((module) => module.CommentMarks));
commentsOnPage.from(() => late().then((module) => module.CommentsOnPage));
doorPage.from(() => late().then((module) => module.DoorPage));
remoteOnPage.from(() => late().then((module) => module.RemoteOnPage));
leadOnPage.from(() => late().then((module) => module.LeadOnPage));
leadNote.from(() => late().then((module) => module.LeadNote));
recordPractice.from(() => late().then((module) => module.RecordPractice));
videoOnPage.from(() => late().then((module) => module.VideoOnPage));
runThroughOnPage.from(() => late().then((module) => module.RunThroughOnPage));
practiseSheet.from(() => late().then((module) => module.PractiseSheet));
ledSession.from(() => late().then((module) => module.LedSession));
stageView.from(() => late().then((module) => module.StageView));
routineEditor.from(() => late().then((module) => module.RoutineEditor));
editRoutine.from(() => late().then((module) => module.EditRoutine));
welcomeSheet.from(() => late().then((module) => module.Welcome));
jumpTo.from(() => late().then((module) => module.JumpTo));
moveSheets.from(() => late().then((module) => module.MoveSheets));
readMovesView.from(() => late().then((module) => module.ReadMoves));
linksSheet.from(() => late().then((module) => module.LinksSheet));
moveEightsView.from(() => late().then((module) => module.MoveEights));
practiceSheet.from(() => late().then((module) => module.PracticeSheet));
callMoves.from(() => late().then((module) => module.CallMoves));
callerSheet.from(() => late().then((module) => module.CallerSheet));
countsSheet.from(() => late().then((module) => module.CountsSheet));
spotSheet.from(() => late().then((module) => module.SpotSheet));
changesSheet.from(() => late().then((module) => module.ChangesSheet));
exportSheet.from(() => late().then((module) => module.ExportSheet));
versionsSheet.from(() => late().then((module) => module.VersionsSheet));
keyboardHelp.from(() => late().then((module) => module.KeyboardHelp));

/** Loads it after the first screen is shown, so that its pages open at once and without a network. */
export function fetchPagesAhead(): void {
  setTimeout(() => {
    // A failure is reported when the page is opened.
    for (const { load } of all) load().catch(() => undefined);
  }, 2_000);
}

const all: readonly { load(): Promise<unknown> }[] = [
  routineEditor, editRoutine, settingsPage, devicesPage, clipperPage, cutPage, progressPage, exportSheet, keyboardHelp, doorPage,
  remoteOnPage, leadOnPage, leadNote, recordPractice, runThroughOnPage, videoOnPage, stageView, practiseSheet, ledSession, moveSheets, moveEightsView,
  jumpTo, practiceSheet, callerSheet, callMoves, countsSheet, spotSheet, versionsSheet, changesSheet, welcomeSheet,
  readMovesView, linksSheet, peoplePage, groupsPage, shareSheet,
  newBadge, moveComments, commentChips, commentMarks, commentsOnPage,
];
