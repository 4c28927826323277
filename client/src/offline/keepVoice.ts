// Keeps the voice that says counts on a device whose settings have chosen one.

import { voiceLanguage } from '../audio/voice';
import { addresses } from '../builtAssets';
import type { LocalLibrary } from '../sync/library';

/**
 * Fetches the chosen voice once it is chosen, on whatever device, so that the worker has it when there is no
 * network. A failure is tried again with the next change of the library.
 */
export async function keepVoice(library: Pick<LocalLibrary, 'setting' | 'subscribe'>): Promise<void> {
  const { serviceWorker: workers } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (!workers) return;
  await workers.ready;
  // The first worker of a device takes the page over only after it is ready.
  if (!workers.controller) {
    await new Promise<void>((resolve) => { workers.addEventListener('controllerchange', () => resolve(), { once: true }); });
  }
  let kept = '';
  const look = async (): Promise<void> => {
    const isSaid = library.setting('countInSound') === 'voice' || library.setting('clickSound') === 'voice';
    const address = isSaid ? addresses[`voice-${voiceLanguage(library.setting('voiceLanguage'))}`] : '';
    if (address === '' || address === kept) return;
    kept = address;
    const isStored = await caches.match(address) !== undefined
      || await fetch(address).then(({ ok }) => ok, () => false);
    if (!isStored) kept = '';
  };
  library.subscribe(() => void look());
  await look();
}
