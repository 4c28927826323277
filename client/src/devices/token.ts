// The one-time token of a pairing, in an address or typed.

/** The format of the server's tokens. */
const pattern = /^[A-Za-z0-9_-]{16,128}$/;

/** Finds the token in typed or pasted text: the token alone, or the address that contains it. */
export function tokenIn(text: string): string | null {
  const bare = text.trim();
  const hash = bare.indexOf('#');
  const token = (hash >= 0 ? bare.slice(hash + 1) : bare).replace(/\s+/g, '');
  return pattern.test(token) ? token : null;
}
