// The hook of the upload queue: only pages of the second script use it.

import { useSyncExternalStore } from 'react';
import type { Purpose, UploadQueue } from '../uploads/queue';
import { useServices } from './services';

/** Returns the upload queue, and renders again whenever a file of one kind changes. */
export function useUploads(kind: Purpose['kind']): UploadQueue {
  const { uploads } = useServices();
  useSyncExternalStore(uploads.subscribe, () => uploads.versions[kind]);
  return uploads;
}
