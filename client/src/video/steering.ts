// Keeps one player of a video in sync: corrects small errors by its rate, and large ones by a seek
// that allows for its own duration. Pure: no element, no clock of its own.

/** The state of a player of a video. Times are seconds of the video. */
export interface VideoElementState {
  readonly time: number;
  /** 0 while it is unknown. */
  readonly duration: number;
  /** Whether it is seeking, or waits for data. */
  readonly isBusy: boolean;
  readonly isPaused: boolean;
}

/** An order for a player. */
export interface Order {
  readonly shouldPlay: boolean;
  readonly rate: number;
  /** The position to seek to; null means no seek. */
  readonly seekTo: number | null;
}

/** The wanted position of the picture. */
export interface Wanted {
  /** Seconds of the video; outside of the video there is nothing to show. */
  readonly time: number;
  /** Seconds of the video in one second. */
  readonly speed: number;
  readonly isMoving: boolean;
  /** In how many seconds it starts to move; null if unknown. */
  readonly startsIn: number | null;
  /** Returns `time` as it will be in this many seconds. */
  readonly ahead: (seconds: number) => number;
}

/** A larger error, in seconds, is corrected by a seek. */
const seekAbove = 0.12;
/** The share of an error that is corrected in one second. */
const mending = 1.4;
/**
 * The maximum change of the rate: 8 %, and up to a fifth in slow motion, where it is not visible.
 */
const mostNudge = 0.08;
const mostShare = 0.2;
/** Errors are averaged over about this many seconds, since the audio clock moves in steps. */
const averageSeconds = 0.12;
const smallError = 0.003;
/** A player that does not move this many seconds after its start is late, not starting. */
const longestStart = 0.6;
const shortestBetweenSeeks = 0.25;

/** The durations of seeking and starting on this device, measured while playing. */
export class Latencies {
  /** Seconds from a seek to the moving picture. */
  seek = 0.12;
  /** Seconds from play to the moving picture. */
  start = 0.04;

  learnSeek(error: number): void {
    this.seek = Math.min(1, Math.max(0, this.seek - 0.5 * error));
  }

  learnStart(seconds: number): void {
    this.start = Math.min(0.3, Math.max(0, this.start + 0.3 * (seconds - this.start)));
  }
}

/** Steers one player. */
export class Steering {
  private error: number | null = null;
  private lastNow = 0;
  /** The current or latest seek: when it began and where it aimed. */
  private seek: { readonly began: number; readonly aim: number; readonly isLearnt: boolean } | null = null;
  /** A start that has not moved the picture yet. */
  private start: { readonly began: number; readonly from: number } | null = null;
  private lastSeek = -Infinity;
  /** The position at which it was told to stop. */
  private stillAt: number | null = null;

  constructor(private readonly latencies: Latencies) {}

  /** Decides the order for a player; `now` is in seconds of any monotonic clock. */
  steer(now: number, deck: VideoElementState, wanted: Wanted, frameSeconds: number): Order {
    const sinceLast = Math.min(1, Math.max(0, now - this.lastNow));
    this.lastNow = now;
    const last = Math.max(0, deck.duration - frameSeconds);
    const isThere = wanted.time >= 0 && wanted.time < last;
    const startsIn = wanted.isMoving && wanted.time < 0 ? -wanted.time / wanted.speed : wanted.startsIn;
    // A seek that would end after the start aims for the position after it, as if playback had
    // started.
    const isSoon = startsIn !== null && startsIn < this.latencies.seek
      && (this.seek !== null || Math.abs(deck.time - wanted.time) > seekAbove);
    if (!isThere || !(wanted.isMoving || isSoon)) {
      const begins = startsIn !== null && startsIn <= this.latencies.start && wanted.time < last;
      return this.stand(now, deck, Math.min(last, Math.max(0, wanted.time)), wanted.speed, begins, frameSeconds);
    }
    this.stillAt = null;
    const moving = { shouldPlay: true, rate: wanted.speed, seekTo: null };
    if (deck.isBusy) {
      this.error = null;
      this.start = null;
      // The data that it waits for may be for an outdated position.
      return this.isElsewhere(now, deck, wanted.time) ? this.seekAhead(now, deck, wanted) : moving;
    }
    if (this.isStarting(now, deck, wanted)) return moving;
    const error = deck.time - wanted.time;
    if (this.seek) {
      // The clock stands still for a moment after a seek: it shows the aimed position then.
      const isMoving = deck.time > this.seek.aim + 0.01;
      if (!isMoving && now - this.seek.began < longestStart + this.latencies.seek) return moving;
      if (this.seek.isLearnt && Math.abs(error) < 1) this.latencies.learnSeek(error / wanted.speed);
      const isFresh = now - this.seek.began < shortestBetweenSeeks;
      this.seek = isFresh ? { ...this.seek, isLearnt: false } : null;
    }
    if (Math.abs(error) > seekAbove && !this.seek) return this.seekAhead(now, deck, wanted);
    const share = this.error === null ? 1 : 1 - Math.exp(-sinceLast / averageSeconds);
    this.error = (this.error ?? 0) + share * (error - (this.error ?? 0));
    return { ...moving, rate: wanted.speed - nudge(this.error, wanted.speed) };
  }

  private stand(
    now: number, deck: VideoElementState, at: number, speed: number, begins: boolean, frameSeconds: number,
  ): Order {
    this.error = null;
    this.seek = null;
    if (begins) {
      if (deck.isPaused) this.start = { began: now, from: deck.time };
      return { shouldPlay: true, rate: speed, seekTo: null };
    }
    this.start = null;
    const isAsked = this.stillAt !== null && Math.abs(this.stillAt - at) < 0.001;
    // Some browsers stop slightly beside the requested position: one seek is enough.
    const isWaiting = deck.isBusy && !this.isElsewhere(now, deck, at);
    const seekTo = isWaiting || isAsked || Math.abs(deck.time - at) < frameSeconds / 4 ? null : at;
    if (seekTo !== null) this.lastSeek = now;
    if (seekTo !== null && deck.isPaused) this.stillAt = at;
    return { shouldPlay: false, rate: speed, seekTo };
  }

  /** Whether the player was started and does not move yet; measures how long that takes. */
  private isStarting(now: number, deck: VideoElementState, wanted: Wanted): boolean {
    if (deck.isPaused && !this.start) {
      if (Math.abs(deck.time - wanted.time) > seekAbove) return false;
      this.start = { began: now, from: deck.time };
    }
    if (!this.start) return false;
    const moved = deck.time - this.start.from;
    if (moved > 0.005) {
      this.latencies.learnStart(now - this.start.began - moved / wanted.speed);
      this.start = null;
      return false;
    }
    if (now - this.start.began < longestStart) return true;
    this.start = null;
    return false;
  }

  /** Whether a busy player is far from the wanted position and not seeking there already. */
  private isElsewhere(now: number, deck: VideoElementState, time: number): boolean {
    return Math.abs(deck.time - time) > 1 && now - this.lastSeek > 1;
  }

  private seekAhead(now: number, deck: VideoElementState, wanted: Wanted): Order {
    const aim = Math.max(0, wanted.ahead(this.latencies.seek));
    this.seek = { began: now, aim, isLearnt: true };
    this.lastSeek = now;
    this.error = null;
    this.start = null;
    return { shouldPlay: true, rate: wanted.speed, seekTo: Math.min(aim, Math.max(0, deck.duration - 0.01)) };
  }
}

/** The correction of the rate, in steps, so that the browser has few changes. */
function nudge(error: number, speed: number): number {
  if (Math.abs(error) < smallError) return 0;
  const most = Math.min(mostShare * speed, mostNudge * Math.max(1, speed));
  return Math.round(Math.min(most, Math.max(-most, error * mending)) * 200) / 200;
}
