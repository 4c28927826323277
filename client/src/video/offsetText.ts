// An offset as text that a user can check: where in the video the part begins.

import { framesPerSecond } from '../timeline';
import { clock } from '../ui/time';
import { lateWords } from '../words/lateWords';

/**
 * Formats where in the video a part begins, to the hundredth of a second; an offset is in frames of
 * the track.
 */
export function atInVideo(startFrame: number, offset: number): string {
  const hundredths = Math.round(((startFrame - offset) * 100) / framesPerSecond);
  const whole = Math.abs(hundredths);
  const time = `${clock(Math.floor(whole / 100) * framesPerSecond)}.${String(whole % 100).padStart(2, '0')}`;
  return hundredths < 0 ? lateWords.video.beginsBefore(time) : lateWords.video.beginsAt(time);
}
