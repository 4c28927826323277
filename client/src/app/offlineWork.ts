// Starts the offline work with the objects it needs.

import { InstallHint, isTimeForHint } from '../install/InstallHint';
import { OfflineWork } from '../offline/work';
import { nameRecordings } from '../moves/nameRecordings';
import { shared } from '../video/videoServices';
import { offlineOfLink } from '../links/storedLink';
import { mediaCacheOfLink } from '../serviceWorker/cacheLayout';
import type { Services } from '../services/services';
import { replaceAudio } from '../uploads/replacement';
import { addTrack } from '../uploads/tracks';

/** Starts the offline work, after the second script is loaded. */
export function beginOfflineWork(services: Services): Promise<OfflineWork> {
  const { links } = shared(services);
  const { link } = services;
  return OfflineWork.begin({
    ...services,
    ...(link && {
      stores: { database: offlineOfLink(link.id), cache: mediaCacheOfLink(link.id), keeper: `segmance-link-${link.id}` },
    }),
    starts: {
      track: (file) => addTrack(services.uploads, file),
      replacement: (file, part) => replaceAudio(services, part, file),
      video: (file, part) => links.start(part, file),
      recording: (file, move, at) => nameRecordings(services).start(move, file, at),
    },
    hint: () => (!link && isTimeForHint(Date.now()) ? InstallHint : null),
  }).then(async (work) => {
    // What a link shows is practised without a network, too, as long as the link lasts.
    if (link) await work.keep(link.routine);
    return work;
  });
}
