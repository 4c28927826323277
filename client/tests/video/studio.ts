// A simulated video deck and a simulated practice player with one clock.

import type { Heard } from '../../src/video/follow';
import { Follower } from '../../src/video/follow';
import type { VideoElementState, Order } from '../../src/video/steering';

/** The seconds of one step. */
const step = 1 / 60;

/** Returns a seeded random generator (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A deck with delays for seeks and starts, and a slightly wrong clock. */
export class SimulatedDeck {
  time = 0;
  isPaused = true;
  rate = 1;
  seeks = 0;
  private busyFor = 0;
  private startsIn = 0;

  constructor(
    readonly duration: number, private readonly random: () => number,
    private readonly seekSeconds = 0.15, private readonly drift = 1.0004,
  ) {}

  get deck(): VideoElementState {
    return { time: this.time, duration: this.duration, isBusy: this.busyFor > 0, isPaused: this.isPaused };
  }

  obey(order: Order): void {
    if (order.seekTo !== null) {
      this.time = order.seekTo;
      this.busyFor = this.seekSeconds * (0.6 + 0.8 * this.random());
      this.seeks += 1;
    }
    this.rate = order.rate;
    if (order.shouldPlay && this.isPaused) this.startsIn = 0.02 + 0.03 * this.random();
    this.isPaused = !order.shouldPlay;
  }

  pass(seconds: number): void {
    let left = seconds;
    for (const wait of ['busyFor', 'startsIn'] as const) {
      const waited = Math.min(left, this[wait]);
      this[wait] -= waited;
      left -= waited;
    }
    if (!this.isPaused) this.time = Math.min(this.duration, this.time + left * this.rate * this.drift);
  }
}

/** A part that plays with a video. */
export class Studio {
  now = 0;
  heard: Heard;
  readonly follower = new Follower(1 / 30);
  shown: SimulatedDeck;
  spare: SimulatedDeck | null;
  material = '';
  private readonly random = chance(7);

  constructor(heard: Partial<Heard>, readonly offset: number, options: { duration?: number; decks?: 1 | 2; seekSeconds?: number } = {}) {
    this.heard = {
      frame: heard.startFrame ?? 0, percent: 100, isMoving: true, startsIn: null, startFrame: 0,
      endFrame: 480_000, wraps: true, ...heard,
    };
    const { duration = 60, decks = 2, seekSeconds } = options;
    this.shown = new SimulatedDeck(duration, this.random, seekSeconds);
    this.spare = decks === 2 ? new SimulatedDeck(duration, this.random, seekSeconds) : null;
  }

  /** The seconds by which the picture is ahead of the sound. */
  get error(): number {
    return this.shown.time - (this.heard.frame - this.offset) / 48_000;
  }

  /** Advances the time; returns the error of each step. `jitter` is the audio clock's error in seconds. */
  pass(seconds: number, jitter = 0.005): number[] {
    const errors: number[] = [];
    for (const end = this.now + seconds; this.now < end;) {
      const unsure = (this.random() * 2 - 1) * jitter * 48_000;
      const { heard } = this;
      const seen = { ...heard, frame: heard.isMoving ? within(heard, heard.frame + unsure) : heard.frame };
      const decision = this.follower.decide(
        this.now, seen, this.offset, this.shown.deck, this.spare && this.spare.deck);
      if (decision.swaps && this.spare) [this.shown, this.spare] = [this.spare, this.shown];
      this.shown.obey(decision.shown);
      if (decision.spare) this.spare?.obey(decision.spare);
      this.material = decision.material;
      this.now += step;
      this.shown.pass(step);
      this.spare?.pass(step);
      if (heard.startsIn !== null) this.countDown(heard.startsIn);
      else if (heard.isMoving) {
        this.heard = { ...heard, frame: within(heard, heard.frame + step * 480 * heard.percent) };
      }
      errors.push(this.error);
    }
    return errors;
  }

  private countDown(startsIn: number): void {
    const left = startsIn - step;
    this.heard = left > 0 ? { ...this.heard, startsIn: left } : { ...this.heard, startsIn: null, isMoving: true };
  }
}

function within(heard: Heard, frame: number): number {
  const length = heard.endFrame - heard.startFrame;
  if (!heard.wraps) return Math.min(frame, heard.endFrame);
  if (frame < heard.startFrame) return frame + length;
  return frame >= heard.endFrame ? frame - length : frame;
}

/** Returns the share of steps in which the picture is within 40 ms of the sound. */
export function inStep(errors: readonly number[]): number {
  return errors.filter((error) => Math.abs(error) <= 0.04).length / errors.length;
}
