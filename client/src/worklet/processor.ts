// What the browser loads into the audio thread: registers the engine's processor.

import { EngineProcessor } from './engineProcessor';
import { processorName, type ProcessorOptions } from './messages';

declare function registerProcessor(
  name: string, processor: new (options: { processorOptions: ProcessorOptions }) => EngineProcessor,
): void;

registerProcessor(processorName, EngineProcessor);
