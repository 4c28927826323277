// The geometry of the minutes a week: a bar for each week from the first one with practice to this one. Pure.

/** The time practised in a week. */
export interface Week {
  /** A Monday, in days since 1970-01-01. */
  readonly firstDay: number;
  readonly seconds: number;
}

/** A bar: whole minutes, and its height, at most 1. */
export interface WeekBar {
  readonly firstDay: number;
  readonly minutes: number;
  readonly height: number;
  /** What stands below it: nothing, a month, or a month with its year. */
  readonly label: 'none' | 'month' | 'year';
}

/** How many weeks are seen at once. */
export const weeksShown = 12;
/** Ten years: what lies further back is not drawn. */
const mostWeeks = 522;

/** Returns the Monday of a day's week. */
export function mondayOf(day: number): number {
  // 1970-01-01 was a Thursday.
  return day - (((day + 3) % 7) + 7) % 7;
}

/** Makes the bars of all weeks, with and without practice, in their order. There are as many as are seen at once, or more. */
export function weekBars(weeks: readonly Week[], today: number): WeekBar[] {
  const seconds = new Map(weeks.map((week) => [week.firstDay, week.seconds]));
  // A device whose clock was ahead may have practised next week.
  const lastMonday = Math.max(mondayOf(today), ...seconds.keys());
  const firstPractised = Math.min(lastMonday, ...seconds.keys());
  const count = Math.min(mostWeeks, Math.max(weeksShown, (lastMonday - firstPractised) / 7 + 1));
  const mondays = Array.from({ length: count }, (_, at) => lastMonday - 7 * (count - 1 - at));
  const minutes = mondays.map((monday) => Math.round((seconds.get(monday) ?? 0) / 60));
  const longest = Math.max(1, ...minutes);
  return mondays.map((firstDay, at) => ({
    firstDay, minutes: minutes[at] ?? 0, height: (minutes[at] ?? 0) / longest, label: labelOf(firstDay),
  }));
}

/** A week is labelled if a month begins in it. */
function labelOf(monday: number): WeekBar['label'] {
  const sunday = new Date((monday + 6) * 86_400_000);
  if (sunday.getUTCDate() > 7) return 'none';
  return sunday.getUTCMonth() === 0 ? 'year' : 'month';
}
