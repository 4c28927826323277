// Days of the calendar as the chosen language writes them: only for what is loaded later.

import { locale } from './format';

/** Formats a day (days since 1970-01-01): `Saturday, December 5, 2026`, or as the options say. */
export function dayText(day: number, form: Intl.DateTimeFormatOptions = { dateStyle: 'full' }): string {
  return new Date(day * 86_400_000).toLocaleDateString(locale, { ...form, timeZone: 'UTC' });
}
