// Converts frames of the timeline to text, and back.

import { framesPerSecond } from '../timeline';
import { words } from '../words/words';

/** Converts seconds to whole frames. */
export function framesOf(seconds: number): number {
  return Math.round(seconds * framesPerSecond);
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats a length or a position as `m:ss`, or `h:mm:ss` from an hour on, rounded down. */
export function clock(frames: number): string {
  const seconds = Math.max(0, Math.floor(frames / framesPerSecond));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`
    : `${minutes}:${twoDigits(seconds % 60)}`;
}

/** Formats a position with tenths of a second, for markers: `m:ss.t`. */
export function clockWithTenths(frames: number): string {
  const tenths = Math.max(0, Math.floor((frames * 10) / framesPerSecond));
  return `${clock(Math.floor(tenths / 10) * framesPerSecond)}.${tenths % 10}`;
}

/** Formats a length in words for a screen reader: `1 minute 5 seconds`. */
export function spokenTime(frames: number): string {
  const seconds = Math.max(0, Math.floor(frames / framesPerSecond));
  const units: [number, (count: number) => string][] = [
    [Math.floor(seconds / 3600), words.ui.hours],
    [Math.floor(seconds / 60) % 60, words.ui.minutes],
    [seconds % 60, words.ui.seconds],
  ];
  const said = units.filter(([value]) => value > 0).map(([value, unit]) => unit(value));
  return said.length > 0 ? said.join(' ') : words.ui.seconds(0);
}
