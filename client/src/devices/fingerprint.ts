// The fingerprint of this installation's certificate authority: SHA-256 of the certificate.

import { apiAddress } from '../apiAddress';

/** Returns the bytes of a certificate, decoded if it is PEM text. */
export function certificateBytes(received: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(received);
  const body = /-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/.exec(text)?.[1];
  if (body === undefined) return received;
  return Uint8Array.from(atob(body.replace(/\s+/g, '')), (letter) => letter.charCodeAt(0));
}

/**
 * Fetches the certificate and returns its fingerprint in hexadecimal; null if there is no
 * authority, `unknown` if the browser can't compute it.
 */
export async function fetchFingerprint(signal: AbortSignal): Promise<string | 'unknown' | null> {
  const response = await fetch(apiAddress.authority, { signal, cache: 'no-store' });
  if (response.status === 404) return null;
  if (!response.ok || !globalThis.crypto?.subtle) return 'unknown';
  const bytes = certificateBytes(new Uint8Array(await response.arrayBuffer()));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
