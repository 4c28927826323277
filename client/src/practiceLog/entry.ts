// What an entry of the practice log holds: a line for each section, with or without music. Pure.

import { limits } from '../sync/validation';
import type { Stretch } from '../timeline';
import type { HeardPiece } from './heard';

/** What was heard of one section. Frames are those of the part's track. */
export interface HeardSection extends Stretch {
  readonly partId: string;
  /** How often it was heard from its start to its end. */
  readonly passes: number;
  readonly seconds: number;
  /** The highest speed of a whole pass in percent; 0 without one. */
  readonly percent: number;
  readonly hasMusic: boolean;
}

/** More lines, of at most 75 characters, might not fit into the field. */
const mostSections = Math.floor(limits.practiceEntry.heard / 75) - 5;

/** Adds up the sections of one entry. */
export class HeardSum {
  private readonly sums = new Map<string, HeardSection>();
  /** How long was heard, in all. */
  seconds = 0;

  add({ partId, section, seconds, hasMusic, pass }: HeardPiece): void {
    this.seconds += seconds;
    this.put(partId, section, hasMusic, { seconds });
    // A pass that had music for a while counts with it.
    if (pass) this.put(partId, section, pass.hasMusic, { passes: 1, percent: pass.percent });
  }

  /** Whether there is hardly room for another section. */
  get isFull(): boolean {
    return this.sums.size >= mostSections;
  }

  /** The value of the field `heard`. */
  get text(): string {
    return [...this.sums.values()].flatMap(({ partId, startFrame, endFrame, passes, seconds, percent, hasMusic }) => {
      const whole = Math.round(seconds);
      // What was touched in passing is no practice.
      if (whole === 0 && passes === 0) return [];
      return [[partId, startFrame, endFrame, passes, whole, Math.round(percent), hasMusic ? 1 : 0].join(' ')];
    }).join('\n');
  }

  private put(
    partId: string, { startFrame, endFrame }: Stretch, hasMusic: boolean,
    { passes = 0, seconds = 0, percent = 0 }: { passes?: number; seconds?: number; percent?: number },
  ): void {
    const [start, end] = [Math.round(startFrame), Math.round(endFrame)];
    const key = `${partId} ${start} ${end} ${hasMusic}`;
    const sum = this.sums.get(key);
    this.sums.set(key, {
      partId, startFrame: start, endFrame: end, hasMusic,
      passes: (sum?.passes ?? 0) + passes, seconds: (sum?.seconds ?? 0) + seconds, percent: Math.max(sum?.percent ?? 0, percent),
    });
  }
}

/** Reads the field `heard`; lines of another form are left out. */
export function heardSections(text: string | null | undefined): HeardSection[] {
  return (text ?? '').split('\n').flatMap((line) => {
    const [partId = '', ...rest] = line.split(' ');
    const numbers = rest.map(Number);
    const [startFrame, endFrame, passes, seconds, percent, music] = numbers;
    if (partId === '' || numbers.length !== 6 || !numbers.every((number) => Number.isFinite(number) && number >= 0)) return [];
    return [{
      partId, startFrame: startFrame ?? 0, endFrame: endFrame ?? 0, passes: passes ?? 0, seconds: seconds ?? 0,
      percent: percent ?? 0, hasMusic: music !== 0,
    }];
  });
}
