// English: every sentence of the pages and sheets that are loaded after the first screen. Each section has a file.

import { app } from './englishLate/app';
import { changes } from './englishLate/changes';
import { clipper } from './englishLate/clipper';
import { comments } from './englishLate/comments';
import { devices } from './englishLate/devices';
import { guide } from './englishLate/guide';
import { install } from './englishLate/install';
import { latency } from './englishLate/latency';
import { lead } from './englishLate/lead';
import { links } from './englishLate/links';
import { moves } from './englishLate/moves';
import { notifications } from './englishLate/notifications';
import { offline } from './englishLate/offline';
import { people } from './englishLate/people';
import { plans } from './englishLate/plans';
import { player } from './englishLate/player';
import { practiceLog } from './englishLate/practiceLog';
import { progress } from './englishLate/progress';
import { recording } from './englishLate/recording';
import { remote } from './englishLate/remote';
import { routines } from './englishLate/routines';
import { runThrough } from './englishLate/runThrough';
import { services } from './englishLate/services';
import { settings } from './englishLate/settings';
import { signIn } from './englishLate/signIn';
import { stage } from './englishLate/stage';
import { ui } from './englishLate/ui';
import { uploads } from './englishLate/uploads';
import { video } from './englishLate/video';

/** The words of the later pages, in English. */
export const english = {
  app, changes, clipper, comments, devices, guide, install, moves, recording, latency, links, notifications, offline, player, practiceLog, progress,
  people, remote, lead,
  routines, services, settings, ui, uploads, runThrough, plans, signIn, stage, video,
};

/** What every language has to say on the later pages. */
export type LateWords = typeof english;
