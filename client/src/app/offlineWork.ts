// Starts the offline work with the objects it needs.

import { InstallHint, isTimeForHint } from '../install/InstallHint';
import { OfflineWork } from '../offline/work';
import { shared } from '../video/videoServices';
import type { Services } from '../services/services';

/** Starts the offline work, after the second script is loaded. */
export function beginOfflineWork(services: Services): Promise<OfflineWork> {
  return OfflineWork.begin({
    ...services,
    videoLinks: shared(services.library).links,
    hint: () => (isTimeForHint(Date.now()) ? InstallHint : null),
  });
}
