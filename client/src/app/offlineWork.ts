// Starts the offline work with what it needs of the features.

import { InstallHint, isTimeForHint } from '../install/InstallHint';
import { OfflineWork } from '../offline/work';
import { shared } from '../video/videoServices';
import type { Services } from '../services/services';

/** Starts the offline work, once the later script is here. */
export function beginOfflineWork(services: Services): Promise<OfflineWork> {
  return OfflineWork.begin({
    ...services,
    videoLinks: shared(services.library).links,
    hint: () => (isTimeForHint(Date.now()) ? InstallHint : null),
  });
}
