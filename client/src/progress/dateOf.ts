// The dates of the progress page: short, and with the year where it is another one than this.

import { dayText } from '../words/dates';

const yearOf = (day: number): number => new Date(day * 86_400_000).getUTCFullYear();

/** Formats a day: `Dec 3`, and in another year than today's `Dec 3, 2025`. */
export function dateOf(day: number, today: number): string {
  return dayText(day, { month: 'short', day: 'numeric', ...(yearOf(day) !== yearOf(today) && { year: 'numeric' }) });
}
