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

/** Collects what is heard of a run. */
export class HeardRanges {
  private ranges: Covered[] = [];
  /** The frame of the run that was last heard; null before the first sound and after its parts have changed. */
  private last: number | null = null;
  /** The stretch of the run that the last range lies in. */
  private index = 0;
  /** When that was; null if playback has paused since. */
  private since: number | null = null;
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
  }

  /** Takes a report. */
  hear({ frame, isPlaying, percent, milliseconds }: Moment): void {
    if (!isPlaying) {
      this.since = null;
      return;
    }
    const moved = this.last === null ? NaN : frame - this.last;
    const passed = this.since === null ? 0 : ((milliseconds - this.since) / 1_000) * framesPerSecond * (percent / 100);
    if (!(moved > -jumpFrames && moved < passed + jumpFrames)) {
      this.begin(frame);
      this.last = frame;
    } else if (moved > 0) {
      // Reports may go back by a few frames: what was heard stays heard.
      this.heardSeconds += moved / framesPerSecond / (percent / 100);
      this.extend(frame);
      this.last = frame;
    }
    this.since = milliseconds;
  }

  /** Returns the part that is heard at a frame of the run, and the frame of its track. */
  placeOf(frame: number): { readonly partId: string; readonly frame: number } | null {
    const place = placeInRun(this.run.stretches, frame);
    const partId = this.run.partIds[place.index];
    return partId === undefined ? null : { partId, frame: Math.round(place.frame) };
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
