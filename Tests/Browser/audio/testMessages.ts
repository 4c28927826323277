// The additional messages between the processor of the audio tests and their page.
import type { EngineEventKind } from '../../../client/src/generated/engine';

/** The test processor's name. */
export const testProcessorName = 'segmance-engine-test';

/** The messages that only the test processor sends. */
export type FromTestProcessor =
  | { kind: 'event'; event: EngineEventKind; value: number; contextFrame: number }
  | { kind: 'pong' };
