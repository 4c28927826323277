// What the browser loads into the audio thread to listen: passes on what comes in, with its frame of the context.

import { listenerName, type HeardSamples } from './listening';

// The globals of an AudioWorkletGlobalScope, which TypeScript's libraries do not have.
declare const currentFrame: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** So many frames are passed on at once. */
const framesPerMessage = 4_096;

class Listener extends AudioWorkletProcessor {
  private samples = new Float32Array(framesPerMessage);
  private filled = 0;

  process([input]: Float32Array[][]): boolean {
    // Before the microphone has begun, it has no channel.
    const channel = input?.[0];
    const length = channel?.length ?? 128;
    if (channel) this.samples.set(channel, this.filled);
    else this.samples.fill(0, this.filled, this.filled + length);
    this.filled += length;
    if (this.filled + length > framesPerMessage) this.pass(currentFrame + length);
    return true;
  }

  private pass(endFrame: number): void {
    const message: HeardSamples = { startFrame: endFrame - this.filled, samples: this.samples.slice(0, this.filled) };
    this.port.postMessage(message, [message.samples.buffer]);
    this.filled = 0;
  }
}

registerProcessor(listenerName, Listener);
