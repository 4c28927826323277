// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5).

/** Encodes bytes. */
export function base64url(bytes: ArrayBuffer): string {
  const text = [...new Uint8Array(bytes)].map((byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** Decodes a text. Throws a `DOMException` if it is not base64url. */
export function bytesOf(text: string): Uint8Array {
  const decoded = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
}
