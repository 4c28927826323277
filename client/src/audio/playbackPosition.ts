// Computes the frame that is heard between two reports of the engine. Pure.
import { PlaybackBounds } from './bounds';

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
