// Times to the millisecond, for the exact fields. Pure.

import { framesPerSecond } from '../../timeline';
import { clock } from '../../ui/time';

const framesPerMillisecond = framesPerSecond / 1000;

/**
 * Formats a position as `m:ss.mmm`, or `h:mm:ss.mmm` from an hour on, to the nearest millisecond.
 */
export function exactClock(frames: number): string {
  const milliseconds = Math.max(0, Math.round(frames / framesPerMillisecond));
  const whole = Math.floor(milliseconds / 1000);
  return `${clock(whole * framesPerSecond)}.${String(milliseconds % 1000).padStart(3, '0')}`;
}

/** Parses `75`, `1:15`, `1:15.250` or `0:01:15,25` to frames; null for anything else. */
export function readTime(text: string): number | null {
  const match = /^(?:(?:(\d{1,2}):)?(\d{1,4}):)?(\d{1,6})(?:[.,](\d{1,6}))?$/.exec(text.trim());
  if (!match) return null;
  const [, hours, minutes, seconds = '', fraction = ''] = match;
  if (minutes !== undefined && Number(seconds) >= 60) return null;
  if (hours !== undefined && Number(minutes) >= 60) return null;
  const whole = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds);
  return Math.round((whole + Number(`0.${fraction === '' ? '0' : fraction}`)) * framesPerSecond);
}
