// The latency of the sound output, from taps or from a recording. All arithmetic is done by Sources/Practice.

import { latencyCertainties, latencyObstacles, type PracticeExports } from '../generated/practice';
import { withPractice, type PracticeMemory } from './memory';

/** What a measurement has found. */
export interface LatencyEstimate {
  readonly seconds: number;
  /** The true value is so far off or less in 95 of 100 measurements. */
  readonly marginSeconds: number;
  readonly certainty: (typeof latencyCertainties)[number];
  readonly obstacle: (typeof latencyObstacles)[number];
  /** How many taps or clicks it is made from. */
  readonly used: number;
}

/** A sound of a measurement: a click to tap with, a quiet one between two, or what the microphone listens for. */
export type LatencySound = 'click' | 'between' | 'chirp';
const sounds: readonly LatencySound[] = ['click', 'between', 'chirp'];

/** Returns the samples of a sound at 48,000 Hz. */
export function latencySound(exports: PracticeExports, sound: LatencySound): Float32Array {
  return withPractice(exports, (memory) => {
    exports.latency_sound(memory.handle, sounds.indexOf(sound));
    return new Float32Array(memory.numbers());
  });
}

/**
 * Estimates the latency from taps. All times are seconds of the audio clock; `reported` is the latency that the
 * browser states, 0 if it states none.
 */
export function latencyOfTaps(
  exports: PracticeExports, clicks: { readonly first: number; readonly reported: number }, taps: readonly number[],
): LatencyEstimate {
  return withPractice(exports, (memory) => withNumbers(exports, Float64Array.from(taps), (address) => {
    exports.latency_of_taps(memory.handle, clicks.first, clicks.reported, address, taps.length);
    return estimateIn(memory);
  }));
}

/** Whether a measurement is over once so many clicks were played. */
export function isMeasured(exports: PracticeExports, clicks: number, certainty: LatencyEstimate['certainty']): boolean {
  return exports.latency_is_over(clicks, latencyCertainties.indexOf(certainty)) !== 0;
}

/**
 * Estimates the latency from a recording at 48,000 Hz, in which chirps were rendered at some frames. `inputSeconds`
 * is the latency that the browser states of the microphone, null if it states none.
 */
export function latencyOfRecording(
  exports: PracticeExports, samples: Float32Array, chirpFrames: readonly number[], inputSeconds: number | null,
): LatencyEstimate {
  return withPractice(exports, (memory) => withNumbers(exports, samples, (address) => (
    withNumbers(exports, Float64Array.from(chirpFrames), (frames) => {
      exports.latency_of_recording(
        memory.handle, address, samples.length, frames, chirpFrames.length, inputSeconds ?? NaN);
      return estimateIn(memory);
    })
  )));
}

/** Lets `work` use numbers that lie in the module for as long. */
function withNumbers<Result>(
  exports: PracticeExports, numbers: Float32Array | Float64Array, work: (address: number) => Result,
): Result {
  const address = exports.practice_allocate(numbers.byteLength);
  try {
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    new Uint8Array(exports.memory.buffer).set(bytes, address);
    return work(address);
  } finally {
    exports.practice_free(address);
  }
}

function estimateIn(memory: PracticeMemory): LatencyEstimate {
  const [seconds = 0, marginSeconds = 0, certainty = 0, obstacle = 0, used = 0] = memory.numbers();
  return {
    seconds, marginSeconds, used,
    certainty: latencyCertainties[certainty] ?? 'none', obstacle: latencyObstacles[obstacle] ?? 'nothing',
  };
}
