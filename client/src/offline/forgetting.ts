// What a browser does that somebody has signed in at for some hours only: it forgets everything when that has ended.

import type { LibraryStatus } from '../sync/wire';
import { leaving, remembered } from '../ui/device';
import { mediaCacheName } from '../serviceWorker/cacheLayout';
import { endBrowserPush } from './browserPush';

/**
 * Whether the copy of a library has to go. `endsAt` is when the sign-in ends, in Unix milliseconds; null: it stays.
 * What is not sent yet stays until somebody signs in again.
 */
export function mustForget(
  endsAt: number | null, { unpaired, waiting }: Pick<LibraryStatus, 'unpaired' | 'waiting'>, now: number,
): boolean {
  return endsAt !== null && waiting === 0 && (unpaired || now >= endsAt);
}

/**
 * Deletes all that this browser holds once it must, and shows the page for a browser without access. Calls
 * `onBegin` before. Until then the page takes no input: what somebody chose in it would be lost.
 */
export function forgetInTime(
  library: { readonly status: LibraryStatus; subscribe(listener: () => void): () => void }, onBegin: () => void,
): void {
  const look = (): void => {
    const endsAt = Number(remembered('endsAt'));
    if (!mustForget(endsAt > 0 ? endsAt : null, library.status, Date.now())) return;
    stop();
    onBegin();
    document.body.inert = true;
    leaving.isSafe = true;
    void forgetEverything().finally(() => location.replace('/pair'));
  };
  const stop = library.subscribe(look);
  look();
}

async function forgetEverything(): Promise<void> {
  const pushEnd = endBrowserPush();
  try {
    // Open connections close by themselves when their database is to be deleted.
    for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name);
    if (typeof caches !== 'undefined') await caches.delete(mediaCacheName);
  } finally {
    // With it goes what says that there is something to forget: a failure must not begin anew for ever.
    localStorage.clear();
  }
  await pushEnd;
}
