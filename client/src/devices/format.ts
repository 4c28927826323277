// Times and fingerprints of devices as text. Pure.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Formats when a device was last seen: "now", "12 minutes ago", "yesterday", a date. Unix
 * milliseconds.
 */
export function lastSeen(at: number | null, now: number): string {
  if (at === null) return 'Not seen yet';
  const ago = now - at;
  // The server's clock may be slightly ahead.
  if (ago < 2 * minute) return 'Here now';
  if (ago < hour) return `Seen ${Math.floor(ago / minute)} minutes ago`;
  if (ago < day) {
    const hours = Math.floor(ago / hour);
    return hours === 1 ? 'Seen an hour ago' : `Seen ${hours} hours ago`;
  }
  const days = Math.floor(ago / day);
  if (days === 1) return 'Seen yesterday';
  if (days < 30) return `Seen ${days} days ago`;
  const date = new Date(at).toLocaleDateString(undefined, { year: 'numeric', month: 'long', day: 'numeric' });
  return `Last seen on ${date}`;
}

/** Formats the remaining time as `4:59`; never negative. */
export function timeLeft(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Groups a fingerprint in pairs, to be compared by eye: `AB CD EF …`. */
export function fingerprintPairs(fingerprint: string): string {
  const digits = fingerprint.replace(/[^0-9a-f]/gi, '').toUpperCase();
  return (digits.match(/../g) ?? []).join(' ');
}
