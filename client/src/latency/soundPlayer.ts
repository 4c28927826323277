// Plays short sounds at exact times of the audio clock, on the way that the practised music takes.

import { framesPerSecond } from '../timeline';

/** The sounds of one measurement; `stop` ends them. */
export class SoundPlayer {
  private readonly out: GainNode;
  private readonly playing = new Set<AudioBufferSourceNode>();

  constructor(readonly context: AudioContext) {
    this.out = context.createGain();
    this.out.connect(context.destination);
  }

  /** Makes a sound of samples at 48,000 Hz. */
  sound(samples: Float32Array): AudioBuffer {
    const buffer = this.context.createBuffer(1, samples.length, framesPerSecond);
    buffer.getChannelData(0).set(samples);
    return buffer;
  }

  /** Plays a sound at a time of the audio clock, in seconds; calls back at its end. */
  play(sound: AudioBuffer, at: number, onEnd?: () => void): void {
    const source = this.context.createBufferSource();
    source.buffer = sound;
    source.connect(this.out);
    source.onended = () => {
      this.playing.delete(source);
      onEnd?.();
    };
    source.start(at);
    this.playing.add(source);
  }

  /** Calls back at a time of the audio clock. */
  at(seconds: number, call: () => void): void {
    this.play(this.sound(new Float32Array(1)), seconds, call);
  }

  stop(): void {
    for (const source of this.playing) {
      source.onended = null;
      source.stop();
    }
    this.playing.clear();
    this.out.disconnect();
  }
}

/** Returns a time of the audio clock as the time of a whole frame. */
export const onFrame = (seconds: number): number => Math.round(seconds * framesPerSecond) / framesPerSecond;
