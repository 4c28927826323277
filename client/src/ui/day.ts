// Days of the calendar as whole days since 1970-01-01, in date inputs. They have no time of day, so no time zone
// shifts them.

const dayMilliseconds = 86_400_000;

/** The first and the last day that can be stored. */
export const firstDay = 0;
export const lastDay = 100_000;

/** Formats a day as the value of a date input: `2026-12-05`. */
export function isoDay(day: number): string {
  return new Date(day * dayMilliseconds).toISOString().slice(0, 10);
}

/** Reads the value of a date input; null for text that is no day, or one that can't be stored. */
export function parseDay(text: string): number | null {
  // Without a time of day the date is one of UTC.
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) / dayMilliseconds : NaN;
  return day >= firstDay && day <= lastDay ? day : null;
}
