// The pages that are loaded later, so that the first screen need not wait for them; lateScript.ts sets their source.
// The styles of all that is loaded later are in the app's one file, so that nothing appears without them.

import type { CutPage } from '../clipper/CutPage';
import type { DoorPage } from '../devices/DoorPage';
import type { ProgressPage } from '../progress/ProgressPage';
import type { SettingsPage } from '../settings/SettingsPage';
import { lazyPage } from '../ui/lazyPage';
import type { KeyboardHelp } from './KeyboardHelp';
import '../ui/qrCode.css';
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
import '../lead/lead.css';
import '../links/links.css';
import '../moves/readMoves.css';
import '../notifications/notifications.css';
import '../peoplePages/people.css';
import '../guide/welcome.css';
import '../settings/storage.css';
import './keyboardHelp.css';
import '../parts/jumpTo.css';
import '../player/countsSheet.css';
import '../progress/progress.css';
import '../remote/remote.css';
import '../routines/changes.css';
import '../routines/editor.css';
import '../routines/export.css';
import '../routines/performanceDate.css';
import '../routines/tags.css';
import '../ui/colours.css';
import '../ui/switch.css';
import '../runThrough/reviewStrip.css';
import '../runThrough/runStage.css';
import '../runThrough/runThroughs.css';
import '../services/earlierVersions.css';
import '../settings/settings.css';
import '../stageView/stageView.css';
import '../plans/ledSession.css';
import '../plans/practiseSheet.css';
import '../video/controls.css';
import '../video/offset.css';
import '../video/pick.css';
import '../video/video.css';

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

/** The people, a page of the settings. */
export const peoplePage = lazyPage<object>();

/** The groups, a page of the settings. */
export const groupsPage = lazyPage<object>();

/** Pairing with a code, trusting this Segmance, and the page of an unpaired device. */
export const doorPage = lazyPage<Parameters<typeof DoorPage>[0]>();

/** The sheet with the keys. */
export const keyboardHelp = lazyPage<Parameters<typeof KeyboardHelp>[0]>('sheet');
