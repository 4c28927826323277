// Gives decoded samples back the 16-bit values that they were stored with. Pure.

/**
 * Puts samples in place onto the steps of 16 bits, k / 32768.
 *
 * The practice rendition is 16-bit FLAC, so every sample is such a step; but Chromium's decoder
 * divides what is above zero by 32767, other decoders by 32768. The first sample between zero and
 * one tells which: divided by 32767 it lies on no step.
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
