// Makes the video follow the music: computes the picture's time, and which of two players of the
// same file shows it. The second player waits at the start of a loop and begins to play shortly
// before the end, so that the picture loops together with the sound. Pure: no element, no clock of
// its own.

import { framesPerSecond } from '../timeline';
import { Latencies, Steering, type VideoElementState, type Order, type Wanted } from './steering';

/** What is playing. All frames are frames of the track. */
export interface Heard {
  readonly frame: number;
  /** The speed in percent. */
  readonly percent: number;
  /** Whether the frame moves. */
  readonly isMoving: boolean;
  /** In how many seconds playback begins, 0 while it plays; null if unknown. */
  readonly startsIn: number | null;
  /** The range that is played or repeated. */
  readonly startFrame: number;
  readonly endFrame: number;
  /** Whether it loops without a gap. */
  readonly wraps: boolean;
}

/** Which part of the video there is to show. */
export type Material = 'here' | 'before' | 'after' | 'short';

/** The orders for both players. */
export interface Decision {
  /** Whether the two players swap first; the orders apply after that. */
  readonly swaps: boolean;
  readonly shown: Order;
  readonly spare: Order | null;
  readonly material: Material;
  /** The wanted time of the picture, in seconds of the video. */
  readonly wantedTime: number;
}

/** The spare player starts at most this many seconds before the end of a loop. */
const rollSeconds = 1;
/** In a shorter loop the picture stays at its start, since it could not follow. */
const shortestLoop = 0.8;
/** The spare takes over when it is this many seconds closer. */
const clearlyNearer = 0.06;

/** Returns the time in the video at which a frame of the track is heard. */
export function videoTime(frame: number, offset: number): number {
  return (frame - offset) / framesPerSecond;
}

/** Decides the orders for the two players of a video. */
export class Follower {
  readonly latencies = new Latencies();
  private shown = new Steering(this.latencies);
  private spare = new Steering(this.latencies);

  /** `frameSeconds` is the duration of one frame of the video. */
  constructor(private readonly frameSeconds: number) {}

  /**
   * Decides for one moment; `now` is in seconds of any monotonic clock. Without a spare player it
   * seeks at the ends of loops.
   */
  decide(now: number, heard: Heard, offset: number, shown: VideoElementState, spare: VideoElementState | null): Decision {
    const speed = heard.percent / 100;
    const start = videoTime(heard.startFrame, offset);
    const loopSeconds = (heard.endFrame - heard.startFrame) / framesPerSecond / speed;
    const isShort = heard.wraps && loopSeconds < shortestLoop;
    const time = isShort ? start : videoTime(heard.frame, offset);
    const wanted: Wanted = {
      time, speed,
      isMoving: heard.isMoving && !isShort,
      startsIn: isShort ? null : heard.startsIn,
      ahead: (seconds) => videoTime(frameAhead(heard, seconds), offset),
    };
    const swaps = spare !== null && wanted.isMoving && isNearer(spare, shown, wanted.time);
    if (swaps) [this.shown, this.spare] = [this.spare, this.shown];
    const [front, back] = swaps && spare ? [spare, shown] : [shown, spare];
    return {
      swaps,
      shown: this.shown.steer(now, front, wanted, this.frameSeconds),
      spare: back && this.prepare(now, back, heard, start, loopSeconds, isShort),
      material: isShort ? 'short' : time < 0 ? 'before' : time > front.duration && front.duration > 0 ? 'after' : 'here',
      wantedTime: wanted.time,
    };
  }

  /**
   * Lets the spare player wait before the start of the loop, and start shortly before it is needed.
   */
  private prepare(
    now: number, deck: VideoElementState, heard: Heard, start: number, loopSeconds: number, isShort: boolean,
  ): Order {
    const speed = heard.percent / 100;
    const roll = Math.min(rollSeconds, loopSeconds * 0.4);
    const left = (heard.endFrame - heard.frame) / framesPerSecond / speed;
    const isComing = heard.wraps && heard.isMoving && !isShort && left <= roll + this.latencies.start;
    // The position from which the picture reaches the start together with the sound.
    const coming = start - left * speed;
    const cue = start - roll * speed;
    return this.spare.steer(now, deck, {
      time: isComing ? coming : cue, speed, isMoving: isComing, startsIn: null,
      ahead: (seconds) => coming + seconds * speed,
    }, this.frameSeconds);
  }
}

function frameAhead(heard: Heard, seconds: number): number {
  const moving = Math.max(0, seconds - (heard.startsIn ?? 0));
  const frame = heard.frame + (moving * framesPerSecond * heard.percent) / 100;
  const length = heard.endFrame - heard.startFrame;
  if (!heard.wraps || frame < heard.endFrame || length <= 0) return frame;
  return heard.startFrame + ((frame - heard.startFrame) % length);
}

function isNearer(spare: VideoElementState, shown: VideoElementState, time: number): boolean {
  if (spare.isBusy || spare.isPaused) return false;
  return Math.abs(spare.time - time) + clearlyNearer < Math.abs(shown.time - time);
}
