// The processor of the audio tests. It also reports the engine's events, and answers a ping at once, even
// while nothing is rendered. The answer shows that all earlier messages have arrived.
import type { EngineEvent } from '../../../client/src/worklet/engine';
import { EngineProcessor } from '../../../client/src/worklet/engineProcessor';
import type { ProcessorOptions, ToWorklet } from '../../../client/src/worklet/messages';
import { testProcessorName, type FromTestProcessor } from './testMessages';

declare function registerProcessor(
  name: string, processor: new (options: { processorOptions: ProcessorOptions }) => EngineProcessor,
): void;

class TestProcessor extends EngineProcessor {
  constructor(options: { processorOptions: ProcessorOptions }) {
    super(options);
    const obey = this.port.onmessage;
    this.port.onmessage = (message: MessageEvent<ToWorklet | 'ping'>) => {
      if (message.data === 'ping') this.tell({ kind: 'pong' });
      else obey?.call(this.port, message);
    };
  }

  protected override passed({ kind, value }: EngineEvent, contextFrame: number): void {
    this.tell({ kind: 'event', event: kind, value, contextFrame });
  }

  private tell(message: FromTestProcessor): void {
    this.port.postMessage(message);
  }
}

registerProcessor(testProcessorName, TestProcessor);
