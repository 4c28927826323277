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
  try {
    if (await navigator.serviceWorker.getRegistration()) return 'trusted';
    await navigator.serviceWorker.register('/sw.js');
    return 'trusted';
  } catch (failure) {
    return trustAfter(failure);
  }
}
