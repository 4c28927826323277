// The pages and sheets that come in a later script, so that the first screen need not wait for them. Their
// styles are in the app's one file: a page never stands there without them.

import { loadedPage } from '../ui/loadedPage';
import '../clipper/clipper.css';
import '../clipper/cutting.css';
import '../clipper/tools.css';
import '../clipper/selection.css';
import '../clipper/clips.css';
import '../clipper/dock.css';
import '../clipper/stage/stage.css';
import '../clipper/stage/handles.css';
import '../clipper/stage/overview.css';
import '../devices/devices.css';
import '../devices/door.css';
import '../guide/guide.css';
import '../offline/storage.css';
import './keyboardHelp.css';
import '../remote/remote.css';
import '../routines/editor.css';
import '../settings/export.css';
import '../settings/moveTypes.css';
import '../settings/rows.css';
import '../settings/settings.css';
import '../video/controls.css';
import '../video/offset.css';
import '../video/pick.css';
import '../video/video.css';

const later = (): Promise<typeof import('./later')> => import('./later');

/** The second tab. */
export const clipperPage = loadedPage(
  'The clipper', () => later().then((module) => module.ClipperPage));

/** The page on which a song is cut. */
export const cutPage = loadedPage(
  'The clipper', () => later().then((module) => module.CutPage));

/** The third tab. */
export const settingsPage = loadedPage(
  'The settings', () => later().then((module) => module.SettingsPage));

/** Joining with a code, trusting this Segmance, and what stands before a device that is not paired. */
export const doorPage = loadedPage('This page', () => later().then((module) => module.DoorPage));

/** Remote control, on the page of a routine. */
export const remoteOnPage = loadedPage(
  'The remote control', () => later().then((module) => module.RemoteOnPage), true);

/** A part's video, over the routine's page. */
export const videoOnPage = loadedPage(
  'The video', () => later().then((module) => module.VideoOnPage), true);

/** The sheet with a new routine. */
export const routineEditor = loadedPage(
  'The editor', () => later().then((module) => module.RoutineEditor), true);

/** The sheet that edits a routine. */
export const editRoutine = loadedPage(
  'The editor', () => later().then((module) => module.EditRoutine), true);

/** The sheet that adds moves. */
export const addMoveSheet = loadedPage(
  'The new move', () => later().then((module) => module.AddMove), true);

/** The sheets of a part's dials. */
export const practiceSheet = loadedPage(
  'This sheet', () => later().then((module) => module.PracticeSheet), true);

/** The sheet with the exports. */
export const exportSheet = loadedPage(
  'The export', () => later().then((module) => module.ExportSheet), true);

/** The sheet with the keys. */
export const keyboardHelp = loadedPage(
  'The list of keys', () => later().then((module) => module.KeyboardHelp), true);

const all: readonly { load(): Promise<unknown> }[] = [
  routineEditor, editRoutine, settingsPage, clipperPage, cutPage, exportSheet, keyboardHelp, doorPage, remoteOnPage,
  videoOnPage, addMoveSheet, practiceSheet,
];

/** Fetches them all once the first screen stands, so that they open at once and without a network. */
export function fetchPagesAhead(): () => void {
  const timer = setTimeout(() => {
    // A failure is told where the page is opened.
    for (const { load } of all) load().catch(() => undefined);
  }, 2_000);
  return () => clearTimeout(timer);
}
