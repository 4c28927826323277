// The counts of a track. All arithmetic is done by Sources/Counts; here numbers are passed on.

import { correctionKinds } from '../generated/counts';
import type { CountsExports } from '../generated/counts';
import type { GridCorrection } from '../sync/records';
import type { Stretch as Part } from '../timeline';

/** The beats that the analysis found, as `analysis.json` has them. */
export interface BeatAnalysis {
  /** In beats a minute. */
  readonly tempo: number;
  readonly metre: number;
  /** How certain it is, 0 to 1. */
  readonly confidence: number;
  readonly frames: readonly number[];
  /** The place of each beat in its bar, from 1. */
  readonly places: readonly number[];
  readonly eights: readonly number[];
}

/** What a grid reads of a correction. */
export type Correction =
  Pick<GridCorrection, 'id' | 'kind' | 'order' | 'startFrame' | 'endFrame' | 'value' | 'taps'>;

/** One beat. The first whole eight is 1; a pick-up is in eight 0. */
export interface Beat {
  readonly frame: number;
  readonly place: number;
  readonly count: number;
  readonly eight: number;
  readonly metre: number;
}

/** Beats without a region without counts between them, as indices and frames; ends are not included. */
export interface Stretch {
  readonly firstBeat: number;
  readonly beatsEnd: number;
  readonly startFrame: number;
  readonly endFrame: number;
}

/** `fraction` of a beat after a count. */
export interface CountPosition {
  readonly eight: number;
  readonly count: number;
  readonly fraction: number;
}

/** A length as in "4 × 8 + 2". */
export interface CountLength {
  readonly eights: number;
  readonly counts: number;
  readonly countsPerEight: number;
}

/** How long a count-in is: so many counts (1 to 64), as many as an eight has, or a bar. */
export type CountInLength = number | 'eight' | 'bar';

/** One number of a count-in, so many output frames before the music's first. */
export interface CountInBeat {
  readonly framesBefore: number;
  readonly number: number;
  readonly isDownbeat: boolean;
}

/** Forward or back. */
export type Direction = 1 | -1;

const utf8 = new TextEncoder();

/** The grid of a track; `close` it when it is not needed any more. Nothing may be asked after that. */
export class Grid {
  private readonly exports: CountsExports;
  private readonly handle: number;

  /** Derives the grid from what the analysis found, if anything, and from the corrections, in any order. */
  constructor(
    exports: CountsExports, analysis: BeatAnalysis | null, lengthFrames: number, corrections: readonly Correction[],
  ) {
    this.exports = exports;
    this.handle = exports.grid_create();
    if (analysis) this.setAnalysis(analysis);
    for (const correction of corrections) this.add(correction);
    exports.grid_derive(this.handle, lengthFrames);
  }

  /** Frees its memory. */
  close(): void {
    this.exports.grid_destroy(this.handle);
  }

  /** The number of its beats; 0 if the track has no counts. */
  get beatCount(): number {
    return this.exports.grid_beat_count(this.handle);
  }

  /** Returns a beat by its index; null if there is none. */
  beat(index: number): Beat | null {
    if (this.exports.grid_beat(this.handle, index) === 0) return null;
    const [frame = 0, place = 0, count = 0, eight = 0, metre = 0] = this.answer(5);
    return { frame, place, count, eight, metre };
  }

  /** Returns the beats from one frame up to, but without, another. */
  beats(startFrame: number, endFrame: number): Beat[] {
    const made: Beat[] = [];
    const end = this.exports.grid_first_beat(this.handle, endFrame);
    for (let index = this.exports.grid_first_beat(this.handle, startFrame); index < end; index += 1) {
      const beat = this.beat(index);
      if (beat) made.push(beat);
    }
    return made;
  }

  /** Returns the stretches with counts. */
  stretches(): Stretch[] {
    return Array.from({ length: this.exports.grid_stretch_count(this.handle) }, (_, index) => {
      this.exports.grid_stretch(this.handle, index);
      const [firstBeat = 0, beatsEnd = 0, startFrame = 0, endFrame = 0] = this.answer(4);
      return { firstBeat, beatsEnd, startFrame, endFrame };
    });
  }

  /** Returns where a frame is in counts; null where there are none. */
  position(frame: number): CountPosition | null {
    if (this.exports.grid_position(this.handle, frame) === 0) return null;
    const [eight = 0, count = 0, fraction = 0] = this.answer(3);
    return { eight, count, fraction };
  }

  /** Returns where a frame is in the eights of a part, of which the first is 1; null where there are no counts. */
  positionIn(frame: number, { startFrame, endFrame }: Part): CountPosition | null {
    if (this.exports.grid_position_in(this.handle, frame, startFrame, endFrame) === 0) return null;
    const [eight = 0, count = 0, fraction = 0] = this.answer(3);
    return { eight, count, fraction };
  }

  /** Returns where a step by an eight leads inside a part: to a count 1 or a border. Null where there are no counts. */
  stepped(frame: number, direction: Direction, { startFrame, endFrame }: Part): number | null {
    return orNull(this.exports.grid_step(this.handle, frame, direction, startFrame, endFrame));
  }

  /** Returns the nearest count or border of a part; null where there are no counts. */
  nearestStop(frame: number, { startFrame, endFrame }: Part): number | null {
    return orNull(this.exports.grid_nearest_stop(this.handle, frame, startFrame, endFrame));
  }

  /** Returns the next count or border of a part; null at the border. */
  nextStop(frame: number, direction: Direction, { startFrame, endFrame }: Part): number | null {
    return orNull(this.exports.grid_next_stop(this.handle, frame, direction, startFrame, endFrame));
  }

  /** Returns the frame of a position; null if its eight has no such count. */
  frame({ eight, count, fraction }: CountPosition): number | null {
    return orNull(this.exports.grid_frame(this.handle, eight, count, fraction));
  }

  /** Returns a frame moved by counts; it keeps its fraction. Null if there are not so many. */
  movedByCounts(frame: number, counts: number): number | null {
    return orNull(this.exports.grid_move_by_counts(this.handle, frame, counts));
  }

  /** Returns a frame moved by eights; it keeps count and fraction. Null if there are not so many. */
  movedByEights(frame: number, eights: number): number | null {
    return orNull(this.exports.grid_move_by_eights(this.handle, frame, eights));
  }

  /** Returns the frame of the nearest beat; null without beats. */
  nearestBeat(frame: number): number | null {
    return orNull(this.exports.grid_nearest_beat(this.handle, frame));
  }

  /** Returns the frame of the nearest beat at which an eight begins; null if there is none. */
  nearestEight(frame: number): number | null {
    return orNull(this.exports.grid_nearest_eight(this.handle, frame));
  }

  /** Returns the frames from the beat before a frame to the one after it; null where there are no counts. */
  period(frame: number): number | null {
    return orNull(this.exports.grid_period(this.handle, frame));
  }

  /** Returns the counts from one frame to another, with their fractions. */
  counts(startFrame: number, endFrame: number): number {
    return this.exports.grid_counts(this.handle, startFrame, endFrame);
  }

  /** Returns the length from one frame to another in whole counts; null below half a count. */
  length(startFrame: number, endFrame: number): CountLength | null {
    if (this.exports.grid_length(this.handle, startFrame, endFrame) === 0) return null;
    const [eights = 0, counts = 0, countsPerEight = 0] = this.answer(3);
    return { eights, counts, countsPerEight };
  }

  /** Returns how many counts a frame is after the first count 1 of a part; null where there are no counts. */
  countAt(frame: number, { startFrame, endFrame }: Part): number | null {
    return orNull(this.exports.grid_count(this.handle, frame, startFrame, endFrame));
  }

  /** Returns the frame so many counts after the first count 1 of a part; null outside the track's counts. */
  frameAt(count: number, { startFrame, endFrame }: Part): number | null {
    return orNull(this.exports.grid_frame_of_count(this.handle, count, startFrame, endFrame));
  }

  /** Returns the place in the part's own eights of so many counts after its first count 1; null outside. */
  positionAt(count: number, { startFrame, endFrame }: Part): CountPosition | null {
    if (this.exports.grid_position_of_count(this.handle, count, startFrame, endFrame) === 0) return null;
    const [eight = 0, number = 0, fraction = 0] = this.answer(3);
    return { eight, count: number, fraction };
  }

  /** Returns how many counts a place in the part's own eights is after its first count 1; null if there is none. */
  countOf({ eight, count, fraction }: CountPosition, { startFrame, endFrame }: Part): number | null {
    return orNull(this.exports.grid_count_of_position(this.handle, eight, count, fraction, startFrame, endFrame));
  }

  /** Returns the counts that were meant by taps at rising frames, one for each; null where there are no counts. */
  countsOfTaps(taps: readonly number[], { startFrame, endFrame }: Part): number[] | null {
    const address = this.copied(new Float64Array(taps));
    const isCounted = this.exports.grid_counts_of_taps(this.handle, address, taps.length, startFrame, endFrame) === 1;
    const counts = [...new Float64Array(this.exports.memory.buffer, address, taps.length)];
    this.exports.counts_free(address);
    return isCounted ? counts : null;
  }

  /** Returns the numbers that lead to a frame at a speed, 1 being the original; none where there are no counts. */
  countIn(startFrame: number, speed: number, length: CountInLength): CountInBeat[] {
    const asked = length === 'bar' ? -1 : length === 'eight' ? 0 : length;
    const count = this.exports.grid_count_in(this.handle, startFrame, speed, asked);
    const numbers = this.answer(3 * count);
    return Array.from({ length: count }, (_, index) => {
      const [framesBefore = 0, number = 0, isDownbeat = 0] = numbers.slice(3 * index);
      return { framesBefore, number, isDownbeat: isDownbeat === 1 };
    });
  }

  private setAnalysis({ tempo, metre, frames, places, eights }: BeatAnalysis): void {
    const { exports, handle } = this;
    const [first = 0, second = 0, third = 0] = [frames, places, eights].map(
      (numbers) => this.copied(new Float64Array(numbers)));
    exports.grid_set_analysis(
      handle, tempo, metre, first, frames.length, second, places.length, third, eights.length,
    );
    for (const address of [first, second, third]) exports.counts_free(address);
  }

  private add({ id, order, kind, startFrame, endFrame, value, taps }: Correction): void {
    const { exports, handle } = this;
    const idBytes = utf8.encode(id);
    // Ids are UUIDs; the module reads as many bytes as those have.
    if (idBytes.length !== 36) return;
    const tapBytes = utf8.encode(taps ?? '');
    const [first = 0, second = 0] = [idBytes, tapBytes].map((bytes) => this.copied(bytes));
    exports.grid_add_correction(
      handle, first, order, correctionKinds.indexOf(kind), startFrame ?? 0, endFrame ?? 0, value ?? 0,
      second, tapBytes.length,
    );
    for (const address of [first, second]) exports.counts_free(address);
  }

  /** Copies bytes into the module's memory; returns their address. */
  private copied(data: Float64Array | Uint8Array): number {
    const address = this.exports.counts_allocate(data.byteLength);
    new Uint8Array(this.exports.memory.buffer).set(
      new Uint8Array(data.buffer, data.byteOffset, data.byteLength), address,
    );
    return address;
  }

  /** The first numbers of the last answer. */
  private answer(count: number): number[] {
    return [...new Float64Array(this.exports.memory.buffer, this.exports.grid_answer(this.handle), count)];
  }
}

function orNull(frame: number): number | null {
  return Number.isNaN(frame) ? null : frame;
}
