// Which frame is heard at a moment between two reports of the engine. Pure.
import { PlaybackBounds } from './bounds';

export interface Heard {
  /** The frame that was next at the moment of the report. */
  frame: number;
  /** How fast the track runs, in percent of the clock. */
  percent: number;
  /** The track's frames rendered before it without a jump, loop turns included. */
  runFrames: number;
  /** The audio clock's frames since the report; below zero while its sound is still on the way. */
  elapsedFrames: number;
  /** Whether the audio goes round without a gap. */
  loopsWithoutGap: boolean;
  bounds: PlaybackBounds;
}

/** Returns the frame of the track that is heard. */
export function heardFrame(heard: Heard): number {
  const { startFrame, endFrame } = heard.bounds;
  // What was not rendered in this run cannot be heard of it either.
  const elapsed = Math.max(
    Math.round((heard.elapsedFrames * heard.percent) / 100), -heard.runFrames);
  const frame = heard.frame + elapsed;
  const length = endFrame - startFrame;
  if (!heard.loopsWithoutGap || length <= 0) {
    return Math.min(Math.max(frame, startFrame), endFrame);
  }
  if (frame >= endFrame) return startFrame + ((frame - startFrame) % length);
  // Before A the run has turned back, for it reaches further back than A.
  if (frame < startFrame) return endFrame - 1 - ((startFrame - 1 - frame) % length);
  return frame;
}
