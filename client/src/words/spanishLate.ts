// Spanish: every sentence of the pages and sheets that are loaded after the first screen. Each section has a file.

import type { LateWords } from './englishLate';
import { app } from './spanishLate/app';
import { changes } from './spanishLate/changes';
import { clipper } from './spanishLate/clipper';
import { comments } from './spanishLate/comments';
import { devices } from './spanishLate/devices';
import { guide } from './spanishLate/guide';
import { install } from './spanishLate/install';
import { latency } from './spanishLate/latency';
import { lead } from './spanishLate/lead';
import { links } from './spanishLate/links';
import { moves } from './spanishLate/moves';
import { notifications } from './spanishLate/notifications';
import { offline } from './spanishLate/offline';
import { people } from './spanishLate/people';
import { plans } from './spanishLate/plans';
import { player } from './spanishLate/player';
import { practiceLog } from './spanishLate/practiceLog';
import { progress } from './spanishLate/progress';
import { recording } from './spanishLate/recording';
import { remote } from './spanishLate/remote';
import { routines } from './spanishLate/routines';
import { runThrough } from './spanishLate/runThrough';
import { services } from './spanishLate/services';
import { settings } from './spanishLate/settings';
import { signIn } from './spanishLate/signIn';
import { stage } from './spanishLate/stage';
import { ui } from './spanishLate/ui';
import { uploads } from './spanishLate/uploads';
import { video } from './spanishLate/video';

/** The words of the later pages, in Spanish. */
export const spanish: LateWords = {
  app, changes, clipper, comments, devices, guide, install, moves, recording, latency, links, notifications, offline, player, practiceLog, progress,
  people, remote, lead,
  routines, services, settings, ui, uploads, runThrough, plans, signIn, stage, video,
};
