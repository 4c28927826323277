// The pages that are scripts of their own, so that the first screen need not wait for them. Their
// styles are in the app's one file: a page never stands there without them.

import { loadedPage } from '../ui/loadedPage';
import './keyboardHelp.css';
import '../clipper/cutting.css';
import '../clipper/tools.css';
import '../clipper/selection.css';
import '../clipper/clips.css';
import '../clipper/dock.css';
import '../clipper/stage/stage.css';
import '../clipper/stage/handles.css';
import '../clipper/stage/overview.css';
import '../guide/guide.css';
import '../settings/moveTypes.css';
import '../settings/rows.css';
import '../settings/settings.css';
import '../video/controls.css';
import '../video/offset.css';
import '../video/pick.css';
import '../video/video.css';

/** The page on which a song is cut. */
export const cutPage = loadedPage(
  'The clipper', () => import('./pieces/CutPage').then((module) => module.CutPage));

/** The third tab. */
export const settingsPage = loadedPage(
  'The settings', () => import('./pieces/SettingsPage').then((module) => module.SettingsPage));

/** The sheet in which a routine is edited. */
export const editPage = loadedPage(
  'The sheet', () => import('./pieces/EditRoutine').then((module) => module.EditRoutine), true);

/** The sheet of keys, over any page. */
export const keysPage = loadedPage(
  'The list of keys', () => import('./pieces/KeyboardHelp').then((module) => module.KeyboardHelp), true);

/** A part's video, over the routine's page. */
export const videoOnPage = loadedPage(
  'The video', () => import('./pieces/VideoOnPage').then((module) => module.VideoOnPage), true);

/** Fetches all once the first screen stands, so that they open at once and without a network. */
export function fetchPagesAhead(): () => void {
  const timer = setTimeout(() => {
    // A failure is told where the page is opened.
    for (const { load } of [settingsPage, cutPage, editPage, videoOnPage, keysPage]) load().catch(() => undefined);
  }, 2_000);
  return () => clearTimeout(timer);
}
