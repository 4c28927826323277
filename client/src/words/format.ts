// Numbers, percentages, dates and lists as the chosen language writes them.

/** The locale in use; set by `setLocale`. */
export let locale = 'en';

/** Chooses the locale: a BCP 47 tag, such as `es-MX`. */
export function setLocale(tag: string): void {
  locale = tag;
}

/** Formats a number: `1,250`, and with one fraction digit `4.5`. */
export function number(value: number, fractionDigits = 0): string {
  return value.toLocaleString(locale, { maximumFractionDigits: fractionDigits });
}

/** Formats a percentage: `75%`. */
export function percentText(percent: number): string {
  return (percent / 100).toLocaleString(locale, { style: 'percent' });
}

/** Formats a number with its noun: `1 part`, `4 parts`. */
export function counted(count: number, one: string, other: string): string {
  return `${number(count)} ${count === 1 ? one : other}`;
}

/** Returns a sentence with a capital letter at its beginning, such as one that begins with “the owner”. */
export function sentence(text: string): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(locale) + text.slice(first.length);
}

/** Formats an instant (milliseconds since 1970) as a date, and with `time` as a date and a time of day. */
export function dateText(instant: number, time = false): string {
  return new Date(instant).toLocaleString(locale, { dateStyle: 'medium', ...(time && { timeStyle: 'short' }) });
}

/** Formats a number of days from today: `in 9 days`, `tomorrow`, `yesterday`, and long ago `3 months ago`. */
export function relativeDay(days: number): string {
  const form = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return days > -60 ? form.format(days, 'day') : form.format(Math.round(days / 30.44), 'month');
}

/** Formats a list: `A, B and C`. */
export function listText(items: readonly string[]): string {
  return new Intl.ListFormat(locale).format(items);
}
