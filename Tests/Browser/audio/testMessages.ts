// What the processor of the audio tests and their page say to each other, beside the app's own messages.
import type { EngineEventKind } from '../../../client/src/generated/engine';

/** The test processor's name. */
export const testProcessorName = 'segmance-engine-test';

/** What only the test processor tells. */
export type FromTestProcessor =
  | { kind: 'event'; event: EngineEventKind; value: number; contextFrame: number }
  | { kind: 'pong' };
