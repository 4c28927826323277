// The subscription of this browser at its push service, which the service worker holds.

/** Returns the service worker's registration; null if there is none, as where the certificate is not trusted. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | null> {
  const { serviceWorker: workers } = navigator as { serviceWorker?: ServiceWorkerContainer };
  return (await workers?.getRegistration('/')) ?? null;
}

/** Returns the way to the push service; null if there is none. */
export async function pushManager(): Promise<PushManager | null> {
  const registration = await workerRegistration() as { readonly pushManager?: PushManager } | null;
  return registration?.pushManager ?? null;
}

/**
 * Ends the subscription, so that not even messages that wait at the push service arrive. Never fails: nothing that follows,
 * such as signing out, may depend on the push service, and the server sends nothing to who is out.
 */
export async function endBrowserPush(): Promise<void> {
  try {
    await (await (await pushManager())?.getSubscription())?.unsubscribe();
  } catch {
    // The push service can't be reached, or the browser refuses its storage.
  }
}
