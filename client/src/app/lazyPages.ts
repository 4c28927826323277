// The module of every page and sheet that is loaded later, so that the first screen need not wait
// for it. Their styles are in the app's one file, so that a page never appears without them.

import type { CutPage } from '../clipper/CutPage';
import type { DoorPage } from '../devices/DoorPage';
import { welcomeSheet } from '../guide/lazy';
import { moveEightsView, moveSheets } from '../moves/lazy';
import { jumpTo } from '../parts/lazy';
import { callerSheet, callMoves, countsSheet, practiceSheet, spotSheet } from '../player/lazy';
import type { ProgressPage } from '../progress/ProgressPage';
import {
  editRoutine, ledSession, practiseSheet, recordPractice, remoteOnPage, runThroughOnPage, stageView, videoOnPage,
} from '../routinePage/lazy';
import { exportSheet, routineEditor } from '../routines/lazy';
import { versionsSheet } from '../services/lazy';
import type { SettingsPage } from '../settings/SettingsPage';
import { lazyPage } from '../ui/lazyPage';
import type { KeyboardHelp } from './KeyboardHelp';
import '../ui/rows.css';
import '../ui/songPicker.css';
import '../ui/songs.css';
import '../clipper/clipper.css';
import '../clipper/cutting.css';
import '../clipper/tools.css';
import '../clipper/selection.css';
import '../clipper/clips.css';
import '../clipper/dock.css';
import '../clipper/stage/stage.css';
import '../clipper/stage/handles.css';
import '../clipper/stage/overview.css';
import '../clipper/stage/counts.css';
import '../devices/devices.css';
import '../devices/door.css';
import '../guide/guide.css';
import '../latency/latency.css';
import '../guide/welcome.css';
import '../settings/storage.css';
import './keyboardHelp.css';
import '../parts/jumpTo.css';
import '../player/countsSheet.css';
import '../progress/progress.css';
import '../remote/remote.css';
import '../routines/editor.css';
import '../routines/export.css';
import '../routines/performanceDate.css';
import '../routines/tags.css';
import '../ui/switch.css';
import '../runThrough/reviewStrip.css';
import '../runThrough/runStage.css';
import '../runThrough/runThroughs.css';
import '../settings/moveTypes.css';
import '../services/earlierVersions.css';
import '../settings/settings.css';
import '../stageView/stageView.css';
import '../plans/ledSession.css';
import '../plans/practiseSheet.css';
import '../video/controls.css';
import '../video/offset.css';
import '../video/pick.css';
import '../video/video.css';

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

/** The second tab. */
export const clipperPage = lazyPage<object>();

/** The page on which a song is cut. */
export const cutPage = lazyPage<Parameters<typeof CutPage>[0]>();

/** The progress of a routine. */
export const progressPage = lazyPage<Parameters<typeof ProgressPage>[0]>();

/** The third tab. */
export const settingsPage = lazyPage<Parameters<typeof SettingsPage>[0]>();

/** The devices, a page of the settings. */
export const devicesPage = lazyPage<object>();

/** Pairing with a code, trusting this Segmance, and the page of an unpaired device. */
export const doorPage = lazyPage<Parameters<typeof DoorPage>[0]>();

/** The sheet with the keys. */
export const keyboardHelp = lazyPage<Parameters<typeof KeyboardHelp>[0]>('sheet');

clipperPage.from(() => late().then((module) => module.ClipperPage));
cutPage.from(() => late().then((module) => module.CutPage));
progressPage.from(() => late().then((module) => module.ProgressPage));
settingsPage.from(() => late().then((module) => module.SettingsPage));
devicesPage.from(() => late().then((module) => module.DevicesPage));
doorPage.from(() => late().then((module) => module.DoorPage));
remoteOnPage.from(() => late().then((module) => module.RemoteOnPage));
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
moveEightsView.from(() => late().then((module) => module.MoveEights));
practiceSheet.from(() => late().then((module) => module.PracticeSheet));
callMoves.from(() => late().then((module) => module.CallMoves));
callerSheet.from(() => late().then((module) => module.CallerSheet));
countsSheet.from(() => late().then((module) => module.CountsSheet));
spotSheet.from(() => late().then((module) => module.SpotSheet));
exportSheet.from(() => late().then((module) => module.ExportSheet));
versionsSheet.from(() => late().then((module) => module.VersionsSheet));
keyboardHelp.from(() => late().then((module) => module.KeyboardHelp));

/**
 * Loads their one script after the first screen is shown, so that they open at once and without a
 * network.
 */
export function fetchPagesAhead(): () => void {
  const timer = setTimeout(() => {
    // A failure is reported when the page is opened.
    for (const { load } of all) load().catch(() => undefined);
  }, 2_000);
  return () => clearTimeout(timer);
}

const all: readonly { load(): Promise<unknown> }[] = [
  routineEditor, editRoutine, settingsPage, devicesPage, clipperPage, cutPage, progressPage, exportSheet, keyboardHelp, doorPage,
  remoteOnPage, recordPractice, runThroughOnPage, videoOnPage, stageView, practiseSheet, ledSession, moveSheets, moveEightsView,
  jumpTo, practiceSheet, callerSheet, callMoves, countsSheet, spotSheet, versionsSheet, welcomeSheet,
];
