// The day that it is.

/** Returns the day that it is for a person at `now`, by the device's time zone, in days since 1970-01-01. */
export function dayOf(now: Date): number {
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000;
}
