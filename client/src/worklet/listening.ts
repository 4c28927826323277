// The messages of the processor that listens.

/** Samples that came in, from a frame of the context on. */
export interface HeardSamples {
  readonly startFrame: number;
  readonly samples: Float32Array;
}

export const listenerName = 'segmance-listener';
