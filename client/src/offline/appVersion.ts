// The version of the running app: registers the service worker, and offers a new version.

import { versionQuestion, type ToWorker } from '../serviceWorker/cacheLayout';

/** The callbacks for a change of version. */
export interface VersionHost {
  /** There is a new version; the callback switches to it. */
  offer(goThere: () => void): void;
  /** Stores everything that exists only in this page; returns a sentence if that fails. */
  prepare(): Promise<string | null>;
  say(sentence: string): void;
  /** The browser has not started the new version yet. */
  sayThatItWaits(): void;
}

const askMilliseconds = 3_600_000;
const sweepMilliseconds = 60_000;
const patienceMilliseconds = 3_000;

/** Registers the worker of this version. A development build has no version and no worker. */
export async function followVersion(host: VersionHost): Promise<void> {
  const { serviceWorker: workers } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (!workers) return;
  const version = document.querySelector<HTMLMetaElement>('meta[name=version]')?.content;
  if (version === undefined) {
    for (const old of await workers.getRegistrations()) await old.unregister();
    return;
  }
  workers.addEventListener('message', ({ data, ports }: MessageEvent) => {
    if (data === versionQuestion) ports[0]?.postMessage(version);
  });
  workers.startMessages();

  let isReloading = false;
  const reload = async (): Promise<void> => {
    if (isReloading) return;
    isReloading = true;
    const problem = await host.prepare();
    if (problem === null) {
      location.reload();
      return;
    }
    isReloading = false;
    host.say(problem);
  };
  let hadController = workers.controller !== null;
  /** Whether the new version was requested in this tab. */
  let isTakingOver = false;
  let waits = 0;
  workers.addEventListener('controllerchange', () => {
    // The first worker takes over the page that installed it; that is no new version. A tab that
    // did not request the new version keeps its own, and offers to switch.
    if (hadController) host.offer(() => void reload());
    clearTimeout(waits);
    if (isTakingOver) void reload();
    hadController = true;
  });

  const registration = await workers.register('/sw.js', { updateViaCache: 'none' });
  const tell = (worker: ServiceWorker | null, message: ToWorker): void => worker?.postMessage(message);
  const takeOver = async (): Promise<void> => {
    const problem = await host.prepare();
    if (problem !== null) host.say(problem);
    else if (registration.waiting) {
      isTakingOver = true;
      // Chromium first lets the active worker finish its requests, which takes minutes where the server is silent. If
      // a request comes just when that worker ends, it goes on until it has had none for 30 s. So this is said once: a
      // message is like a request.
      tell(registration.active, { kind: 'giveWay' });
      tell(registration.waiting, { kind: 'takeOver' });
      clearTimeout(waits);
      waits = window.setTimeout(() => host.sayThatItWaits(), patienceMilliseconds);
    }
    else void reload();
  };
  const look = (): void => {
    if (registration.waiting && workers.controller) host.offer(() => void takeOver());
  };
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
  look();

  let asked = Date.now();
  const ask = (): void => {
    asked = Date.now();
    // Without a network there is no new version.
    registration.update().catch(() => undefined);
  };
  setInterval(ask, askMilliseconds);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && Date.now() - asked > sweepMilliseconds) ask();
  });
  setTimeout(() => tell(registration.active, { kind: 'sweep' }), sweepMilliseconds);
}
