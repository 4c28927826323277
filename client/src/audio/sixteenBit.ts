// Restores the 16-bit values of decoded samples. Pure.

/**
 * Rounds samples in place to 16-bit steps, k / 32768.
 *
 * The practice rendition is 16-bit FLAC, so every sample is such a step; but Chromium's decoder
 * divides positive values by 32767, other decoders by 32768. The first sample between zero and one
 * tells which: divided by 32767 it is not on a step.
 */
export function restoreSixteenBit(samples: Float32Array): void {
  const telling = samples.find((sample) => sample > 0 && sample < 1) ?? 0;
  const divisor = Number.isInteger(telling * 32_768) ? 32_768 : 32_767;
  for (let index = 0; index < samples.length; index += 1) {
    const sample = samples[index] ?? 0;
    const step = Math.round(sample * (sample > 0 ? divisor : 32_768));
    samples[index] = Math.max(-32_768, Math.min(step, 32_767)) / 32_768;
  }
}
