// The start and end of a part or its section: the engine's own rule, for values that the page needs
// before the engine answers. Pure.
import type { Stretch } from '../timeline';
import { PlayerPart, PlayerSettings } from './types';

/** The range of playback. */
export interface PlaybackBounds extends Stretch {
  readonly repeats: boolean;
}

type LoopSettings = Pick<PlayerSettings, 'loopMode' | 'markerA' | 'markerB'>;

/** Returns the range of playback: the section, or else the part. */
export function playbackBounds(part: PlayerPart, settings: LoopSettings): PlaybackBounds {
  const { startFrame, endFrame } = part;
  const whole = { startFrame, endFrame, repeats: settings.loopMode === 'whole' };
  if (settings.loopMode !== 'section') return whole;
  if (settings.markerA === null || settings.markerB === null) return whole;
  const inside = (frame: number): number => Math.min(Math.max(frame, startFrame), endFrame);
  const a = inside(Math.min(settings.markerA, settings.markerB));
  const b = inside(Math.max(settings.markerA, settings.markerB));
  return a < b ? { startFrame: a, endFrame: b, repeats: true } : whole;
}

/**
 * Returns where playback starts: at `frame`, or at the beginning if so little is left that a countdown
 * would lead to almost nothing. Of a short range that is a quarter.
 */
export function startFrameOf(frame: number, { startFrame, endFrame }: Stretch, startOverFrames: number): number {
  return endFrame - frame < Math.min(startOverFrames, (endFrame - startFrame) / 4) ? startFrame : frame;
}

/** Returns the target frame of a seek; a part without a loop ends at its end. */
export function seekTarget(frame: number, bounds: PlaybackBounds): number {
  const whole = Number.isFinite(frame) ? Math.round(frame) : bounds.startFrame;
  const last = bounds.repeats ? bounds.endFrame - 1 : bounds.endFrame;
  return Math.min(Math.max(whole, bounds.startFrame), last);
}
