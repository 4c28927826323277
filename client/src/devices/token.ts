// The one-use token of a pairing, as it stands in an address or is typed.

/** What the server makes tokens of. */
const pattern = /^[A-Za-z0-9_-]{16,128}$/;

/** Finds the token in what was typed or pasted: the token alone, or the address that holds it. */
export function tokenIn(text: string): string | null {
  const bare = text.trim();
  const hash = bare.indexOf('#');
  const token = (hash >= 0 ? bare.slice(hash + 1) : bare).replace(/\s+/g, '');
  return pattern.test(token) ? token : null;
}
