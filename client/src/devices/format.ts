// Times and fingerprints of devices as text. Pure.

import { dateText } from '../words/format';
import { lateWords } from '../words/lateWords';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Formats when a device was last seen, in words or as a date. Unix milliseconds. */
export function lastSeen(at: number | null, now: number): string {
  const { devices } = lateWords;
  if (at === null) return devices.notSeen;
  const ago = now - at;
  // The server's clock may be slightly ahead.
  if (ago < 2 * minute) return devices.hereNow;
  if (ago < hour) return devices.seenMinutes(Math.floor(ago / minute));
  if (ago < day) return devices.seenHours(Math.floor(ago / hour));
  const days = Math.floor(ago / day);
  if (days === 1) return devices.seenYesterday;
  return days < 30 ? devices.seenDays(days) : devices.seenOn(dateText(at));
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
