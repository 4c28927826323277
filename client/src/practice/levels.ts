// How loud stretches are, and what makes them equally loud. All arithmetic is done by Sources/Practice.

import type { PracticeExports } from '../generated/practice';
import type { Stretch } from '../timeline';
import { withPractice } from './memory';

/** The levels of a track in steps, in hundredths: as the analysis has them. */
export interface LevelSteps {
  readonly stepFrames: number;
  readonly loudness: readonly number[];
  readonly peaks: readonly number[];
}

/** How loud something is, in LUFS, NaN if it is silent; and its true peak in dBTP. */
export interface Level {
  readonly loudness: number;
  readonly truePeak: number;
}

/** Returns the level of stretches of one track together. */
export function levelOf(exports: PracticeExports, steps: LevelSteps, stretches: readonly Stretch[]): Level {
  const count = Math.min(steps.loudness.length, steps.peaks.length);
  const ranges = stretches.flatMap(({ startFrame, endFrame }) => [startFrame, endFrame]);
  const rangeBytes = 8 * ranges.length;
  const address = exports.practice_allocate(rangeBytes + 4 * count) >>> 0;
  const stepsAddress = address + rangeBytes;
  new Float64Array(exports.memory.buffer, address, ranges.length).set(ranges);
  const numbers = new Int16Array(exports.memory.buffer, stepsAddress, 2 * count);
  numbers.set(steps.loudness.slice(0, count));
  numbers.set(steps.peaks.slice(0, count), count);
  try {
    return withPractice(exports, (memory) => {
      exports.practice_level(memory.handle, steps.stepFrames, stepsAddress, count, address, stretches.length);
      const [loudness = NaN, truePeak = -Infinity] = memory.numbers();
      return { loudness, truePeak };
    });
  } finally {
    exports.practice_free(address);
  }
}

/** Returns the factors that make recordings equally loud. */
export function evenGains(exports: PracticeExports, levels: readonly Level[]): number[] {
  const numbers = levels.flatMap(({ loudness, truePeak }) => [loudness, truePeak]);
  const address = exports.practice_allocate(8 * numbers.length) >>> 0;
  new Float64Array(exports.memory.buffer, address, numbers.length).set(numbers);
  try {
    return withPractice(exports, (memory) => {
      exports.practice_even_gains(memory.handle, address, levels.length);
      return memory.numbers();
    });
  } finally {
    exports.practice_free(address);
  }
}
