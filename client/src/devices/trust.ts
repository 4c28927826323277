// Whether this browser trusts the certificate of this Segmance. A browser does not say so; but it
// runs a service worker only from where it does. So the worker is asked for: what refuses it tells.

/** `unknown` where the browser gives no reason. */
export type Trust = 'trusted' | 'untrusted' | 'unknown';

/** Reads why a service worker was refused. */
export function trustAfter(failure: unknown): Trust {
  const said = failure instanceof Error ? failure.message : '';
  return /\bSSL\b|certificate/i.test(said) ? 'untrusted' : 'unknown';
}

/** Finds out. */
export async function findTrust(): Promise<Trust> {
  if (!globalThis.isSecureContext) return 'untrusted';
  if (location.protocol !== 'https:' || !('serviceWorker' in navigator)) return 'unknown';
  return askWorkers(navigator.serviceWorker);
}

/**
 * Asks for the service worker. A registration alone says nothing: while the app's own is under way, one
 * stands there that may still be refused. The options are the app's: it is the same request then.
 */
export async function askWorkers(
  workers: Pick<ServiceWorkerContainer, 'getRegistration' | 'register'>,
): Promise<Trust> {
  try {
    const known = await workers.getRegistration();
    if (!known?.active) await workers.register('/sw.js', { updateViaCache: 'none' });
    return 'trusted';
  } catch (failure) {
    return trustAfter(failure);
  }
}
