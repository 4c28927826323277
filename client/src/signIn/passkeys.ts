// Passkeys of this browser (Web Authentication Level 2): making one, and signing with one.

import { base64url, bytesOf } from './base64url';

/** What the server needs of a new passkey; binary values in base64url. */
export interface Creation {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  /** DER. */
  readonly publicKey: string;
  /** As COSE numbers it. */
  readonly algorithm: number;
}

/** What the server needs to let a passkey's person in; binary values in base64url. */
export interface Assertion {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

declare global {
  /** What the library of types lacks of Level 2. */
  interface AuthenticatorAttestationResponse {
    getAuthenticatorData(): ArrayBuffer;
    getPublicKey(): ArrayBuffer | null;
    getPublicKeyAlgorithm(): number;
  }
}

/** ES256, EdDSA and RS256, as COSE numbers them. */
const algorithms = [-7, -8, -257];
const longestMilliseconds = 300_000;

/** Whether a host name can have passkeys: addresses of numbers, and this machine's own name, can't. */
export function canHavePasskeys(host: string): boolean {
  return host !== 'localhost' && !/^[\d.]+$/.test(host) && !host.includes(':');
}

/** Whether this browser can make and use passkeys at this address. */
export function hasPasskeys(): boolean {
  return globalThis.isSecureContext && typeof PublicKeyCredential === 'function' && canHavePasskeys(location.hostname);
}

/** Somebody for whom a passkey is made. */
interface PasskeyOwner {
  readonly id: string;
  /** Shown by the browser where it lists passkeys. */
  readonly name: string;
}

/** Lets the browser make a passkey. Returns null if the person has called it off. */
export async function makePasskey(
  { challenge, site, known }: { readonly challenge: string; readonly site: string; readonly known: readonly string[] },
  { id, name }: PasskeyOwner,
): Promise<Creation | null> {
  const made = await unlessCalledOff(navigator.credentials.create({
    publicKey: {
      challenge: bytesOf(challenge), rp: { id: site, name: 'Segmance' },
      user: { id: new TextEncoder().encode(id), name, displayName: name },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      excludeCredentials: known.map((each) => ({ type: 'public-key', id: bytesOf(each) })),
      attestation: 'none', timeout: longestMilliseconds,
    },
  }));
  if (!(made instanceof PublicKeyCredential) || !(made.response instanceof AuthenticatorAttestationResponse)) return null;
  const { response } = made;
  const publicKey = response.getPublicKey();
  if (publicKey === null) return null;
  return {
    id: base64url(made.rawId), clientDataJSON: base64url(response.clientDataJSON),
    authenticatorData: base64url(response.getAuthenticatorData()), publicKey: base64url(publicKey),
    algorithm: response.getPublicKeyAlgorithm(),
  };
}

/** Lets the person choose a passkey, which signs. Returns null if they have called it off. */
export async function signWithPasskey(
  { challenge, site }: { readonly challenge: string; readonly site: string },
): Promise<Assertion | null> {
  const signed = await unlessCalledOff(navigator.credentials.get({
    publicKey: { challenge: bytesOf(challenge), rpId: site, userVerification: 'required', timeout: longestMilliseconds },
  }));
  if (!(signed instanceof PublicKeyCredential) || !(signed.response instanceof AuthenticatorAssertionResponse)) return null;
  const { response } = signed;
  return {
    id: base64url(signed.rawId), clientDataJSON: base64url(response.clientDataJSON),
    authenticatorData: base64url(response.authenticatorData), signature: base64url(response.signature),
  };
}

/** Null instead of an error if the person, or the browser's clock, has ended it. */
async function unlessCalledOff<V>(work: Promise<V>): Promise<V | null> {
  try {
    return await work;
  } catch (failure) {
    if (failure instanceof DOMException && (failure.name === 'NotAllowedError' || failure.name === 'AbortError')) return null;
    throw failure;
  }
}
