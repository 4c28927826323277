// Whether this browser trusts the certificate of this Segmance. A browser does not report that, but
// it only runs a service worker from a trusted origin. So this requests the worker and reads the
// error.

/** `unknown` if the browser gives no reason. */
export type Trust = 'trusted' | 'untrusted' | 'unknown';

/** Derives trust from the error of a service worker registration. */
export function trustAfter(failure: unknown): Trust {
  const said = failure instanceof Error ? failure.message : '';
  return /\bSSL\b|certificate/i.test(said) ? 'untrusted' : 'unknown';
}

/** Tests for trust. */
export async function findTrust(): Promise<Trust> {
  if (!globalThis.isSecureContext) return 'untrusted';
  if (location.protocol !== 'https:' || !('serviceWorker' in navigator)) return 'unknown';
  return askWorkers(navigator.serviceWorker);
}

/**
 * Requests the service worker. An existing registration proves nothing: while the app's own is
 * being installed, it may still fail. The options are the app's, so that it is the same request.
 * Registrations of one worker are joined: the page before this one may break off both when it is
 * left. So an error without a reason leads to a second request.
 */
export async function askWorkers(
  workers: Pick<ServiceWorkerContainer, 'getRegistration' | 'register'>, isSecond = false,
): Promise<Trust> {
  try {
    const known = await workers.getRegistration();
    if (!known?.active) await workers.register('/sw.js', { updateViaCache: 'none' });
    return 'trusted';
  } catch (failure) {
    const trust = trustAfter(failure);
    return trust === 'unknown' && !isSecond ? askWorkers(workers, true) : trust;
  }
}
