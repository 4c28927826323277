// Computes the frame that is heard between two reports of the engine. Pure.
import type { Report } from '../worklet/messages';
import { PlaybackBounds } from './bounds';
import type { HeardMoment } from './types';

export interface Heard {
  /** The next frame at the moment of the report. */
  frame: number;
  /** The speed of the track, in percent of the clock. */
  percent: number;
  /** The track's frames rendered before it without a jump, including loops. */
  runFrames: number;
  /** The audio clock's frames since the report; negative while its sound is not audible yet. */
  elapsedFrames: number;
  /** Whether the audio loops without a gap. */
  loopsWithoutGap: boolean;
  bounds: PlaybackBounds;
}

/** Returns the frame of the track that is heard. */
export function heardFrame(heard: Heard): number {
  const { startFrame, endFrame } = heard.bounds;
  // Frames that were not rendered in this run can't be heard either.
  const elapsed = Math.max(
    Math.round((heard.elapsedFrames * heard.percent) / 100), -heard.runFrames);
  const frame = heard.frame + elapsed;
  const length = endFrame - startFrame;
  if (!heard.loopsWithoutGap || length <= 0) {
    return Math.min(Math.max(frame, startFrame), endFrame);
  }
  if (frame >= endFrame) return startFrame + ((frame - startFrame) % length);
  // Before A the run has looped, since it reaches further back than A.
  if (frame < startFrame) return endFrame - 1 - ((startFrame - 1 - frame) % length);
  return frame;
}

/**
 * Returns what is heard when the context's frame `heard` is, by the report before it; null if that is from before the
 * run that the report is about. Unlike `heardFrame` it does not round.
 */
export function momentOf(report: Report, heard: number, bounds: PlaybackBounds): HeardMoment | null {
  const { state, percent, repeat, turnsWithoutGap } = report;
  const elapsed = heard - report.contextFrame;
  const about = { percent, repeat, turnsWithoutGap };
  if (state === 'resting') {
    return { ...about, state, frame: bounds.startFrame, framesLeft: Math.max(0, report.restFramesLeft - elapsed) };
  }
  if (state === 'countdown') {
    const left = report.countdownFramesLeft - elapsed;
    if (left > report.countdownFrames && report.countdownFrames > 0) return null;
    if (left > 0) return { ...about, state, frame: report.frame, framesLeft: left };
    return { ...about, state: 'playing', frame: report.frame - (left * percent) / 100, framesLeft: 0 };
  }
  if (state !== 'playing') return { ...about, state, frame: report.frame, framesLeft: 0 };
  const moved = (elapsed * percent) / 100;
  if (moved < -report.runFrames) return null;
  return { ...about, state, frame: wrapped(report.frame + moved, bounds, turnsWithoutGap), framesLeft: 0 };
}

function wrapped(frame: number, { startFrame, endFrame }: PlaybackBounds, turns: boolean): number {
  const length = endFrame - startFrame;
  if (!turns || length <= 0) return Math.min(Math.max(frame, startFrame), endFrame);
  return frame >= endFrame || frame < startFrame ? startFrame + ((((frame - startFrame) % length) + length) % length) : frame;
}
