// The pages that are scripts of their own, so that the first screen need not wait for them. Their
// styles are in the app's one file: a page never stands there without them.

import { loadedPage } from '../ui/loadedPage';
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

/** The page on which a song is cut. */
export const cutPage = loadedPage(
  'The clipper', () => import('../clipper/CutPage').then((module) => module.CutPage));

/** The third tab. */
export const settingsPage = loadedPage(
  'The settings', () => import('../settings/SettingsPage').then((module) => module.SettingsPage));

/** Fetches both once the first screen stands, so that they open at once and without a network. */
export function fetchPagesAhead(): () => void {
  const timer = setTimeout(() => {
    // A failure is told where the page is opened.
    for (const { load } of [settingsPage, cutPage]) load().catch(() => undefined);
  }, 2_000);
  return () => clearTimeout(timer);
}
