// Measures the app's own files in the browser's caches, all versions together.

import { appCachePrefix } from '../serviceWorker/cacheLayout';

/** Returns the size in bytes; 0 if the browser stores none. */
export async function measureApp(): Promise<number> {
  if (typeof caches === 'undefined') return 0;
  let bytes = 0;
  for (const name of await caches.keys()) {
    if (!name.startsWith(appCachePrefix)) continue;
    const cache = await caches.open(name);
    for (const response of await cache.matchAll()) bytes += (await response.blob()).size;
  }
  return bytes;
}
