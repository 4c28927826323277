// What of a run was heard, as stretches of its parts. Pure.

import { placeInRun, startInRun } from '../audio/run';
import type { PlayableStretch } from '../audio/types';
import type { Covered } from '../practice/misses';
import { framesPerSecond } from '../timeline';

/** The parts of a run, and their stretches, in order. */
export interface RunParts {
  readonly stretches: readonly PlayableStretch[];
  readonly partIds: readonly string[];
}

/** What the player reports. */
export interface Moment {
  /** The frame of the run that is heard. */
  readonly frame: number;
  readonly isPlaying: boolean;
  readonly percent: number;
  /** By a clock that does not jump. */
  readonly milliseconds: number;
}

/** A position further off than this is a jump: what lies between was not heard. */
const jumpFrames = framesPerSecond / 2;
/** How late a report may come, in milliseconds. */
const mostLate = 2_000;

/** Collects what is heard of a run. */
export class HeardRanges {
  private ranges: Covered[] = [];
  /** The frame of the run that was last heard; null before the first sound and after its parts have changed. */
  private last: number | null = null;
  /** The stretch of the run that the last range lies in. */
  private index = 0;
  /** When that was; null if playback has paused since. */
  private since: number | null = null;
  /** The last report before playback began. */
  private waiting: { readonly frame: number; readonly milliseconds: number } | null = null;
  private heardSeconds = 0;

  constructor(private run: RunParts) {}

  /** What was heard, in order. */
  get covered(): readonly Covered[] {
    return this.ranges.filter(({ startFrame, endFrame }) => endFrame > startFrame);
  }

  /** For how long something was heard. */
  get seconds(): number {
    return this.heardSeconds;
  }

  /** Goes on with other borders, or another order of parts; the same as before changes nothing. */
  follow(run: RunParts): void {
    if (run.stretches === this.run.stretches && run.partIds === this.run.partIds) return;
    this.run = run;
    this.last = null;
    this.since = null;
    this.waiting = null;
  }

  /** Takes a report. */
  hear({ frame, isPlaying, percent, milliseconds }: Moment): void {
    if (!isPlaying) {
      this.since = null;
      this.waiting = { frame, milliseconds };
      return;
    }
    const speed = framesPerSecond * (percent / 100);
    const moved = this.last === null ? NaN : frame - this.last;
    const passed = this.since === null ? 0 : ((milliseconds - this.since) / 1_000) * speed;
    if (this.last === null || !(moved > -jumpFrames && moved < passed + jumpFrames)) {
      this.last = this.startOf(frame, milliseconds, speed);
      this.begin(this.last);
    }
    // Reports may go back by a few frames: what was heard stays heard.
    if (frame > this.last) {
      this.heardSeconds += (frame - this.last) / speed;
      this.extend(frame);
      this.last = frame;
    }
    this.since = milliseconds;
    this.waiting = null;
  }

  /** Returns the part that is heard at a frame of the run, and the frame of its track. */
  placeOf(frame: number): { readonly partId: string; readonly frame: number } | null {
    const place = placeInRun(this.run.stretches, frame);
    const partId = this.run.partIds[place.index];
    return partId === undefined ? null : { partId, frame: Math.round(place.frame) };
  }

  /** The first report of a busy page comes late: returns where playback began. */
  private startOf(frame: number, milliseconds: number, speed: number): number {
    const { waiting } = this;
    if (!waiting) return frame;
    const latest = (Math.min(mostLate, milliseconds - waiting.milliseconds) / 1_000) * speed + jumpFrames;
    return frame >= waiting.frame && frame < waiting.frame + latest ? waiting.frame : frame;
  }

  private begin(frame: number): void {
    const place = this.placeOf(frame);
    if (!place) return;
    this.index = placeInRun(this.run.stretches, frame).index;
    const before = this.ranges[this.ranges.length - 1];
    // After a pause, or with other borders, it goes on where it was.
    const goesOn = before?.partId === place.partId
      && place.frame >= before.startFrame && Math.abs(place.frame - before.endFrame) < jumpFrames;
    if (goesOn) this.reach(place.frame);
    else this.ranges.push({ partId: place.partId, startFrame: place.frame, endFrame: place.frame });
  }

  /** Extends what was heard up to a frame, over the borders of parts. */
  private extend(frame: number): void {
    const { stretches, partIds } = this.run;
    for (;;) {
      const stretch = stretches[this.index];
      if (!stretch) return;
      const past = frame - startInRun(stretches, this.index);
      this.reach(Math.round(Math.min(stretch.endFrame, stretch.startFrame + past)));
      const next = stretches[this.index + 1];
      const partId = partIds[this.index + 1];
      if (!next || partId === undefined || past <= stretch.endFrame - stretch.startFrame) return;
      this.index += 1;
      this.ranges.push({ partId, startFrame: next.startFrame, endFrame: next.startFrame });
    }
  }

  private reach(endFrame: number): void {
    const last = this.ranges[this.ranges.length - 1];
    if (last && endFrame > last.endFrame) this.ranges[this.ranges.length - 1] = { ...last, endFrame };
  }
}
