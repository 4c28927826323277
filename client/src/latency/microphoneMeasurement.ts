// One measurement by the microphone: plays chirps, listens, and compares. Nothing of it is stored or sent.

import { addresses } from '../builtAssets';
import { chirps, type PracticeExports } from '../generated/practice';
import { latencyOfRecording, latencySound, type LatencyEstimate } from '../practice/latency';
import { framesPerSecond } from '../timeline';
import { NoMicrophone, openStream, releaseStream } from '../ui/microphoneStream';
import { listenerName, type HeardSamples } from '../worklet/listening';
import { onFrame, SoundPlayer } from './soundPlayer';

/** All that a browser does for calls would hide the chirps, or shift them. */
const constraints: MediaTrackConstraints = {
  echoCancellation: false, noiseSuppression: false, autoGainControl: false, channelCount: 1,
};
/** The microphone settles before the first chirp. */
const leadSeconds = 0.6;
/** The recording begins before the first chirp and ends after the last possible echo. */
const earlierSeconds = 0.1;
const laterSeconds = chirps.longestSeconds + 0.1;

/** What a measurement tells while it runs. */
export interface Listening {
  /** The microphone is open. */
  onOpen(): void;
  /** So many chirps were played. */
  onChirp(count: number): void;
}

/**
 * Opens the microphone and measures; must be called in a user gesture. Throws `NoMicrophone`. Ends early and returns
 * null if `signal` is aborted.
 */
export async function measureByMicrophone(
  practice: PracticeExports, context: AudioContext, listening: Listening, signal: AbortSignal,
): Promise<LatencyEstimate | null> {
  const stream = await openStream(constraints);
  try {
    if (signal.aborted) return null;
    await context.audioWorklet.addModule(addresses.listener);
    listening.onOpen();
    const heard = await record(practice, context, stream, listening, signal);
    if (!heard) return null;
    const { latency } = (stream.getAudioTracks()[0]?.getSettings() ?? {}) as { latency?: number };
    return latencyOfRecording(practice, heard.samples, heard.chirpFrames, latency ?? null);
  } finally {
    releaseStream(stream);
  }
}

interface Recorded {
  readonly samples: Float32Array;
  readonly chirpFrames: readonly number[];
}

async function record(
  practice: PracticeExports, context: AudioContext, stream: MediaStream, listening: Listening, signal: AbortSignal,
): Promise<Recorded | null> {
  const sounds = new SoundPlayer(context);
  const microphone = sourceOf(context, stream);
  const listener = new AudioWorkletNode(context, listenerName);
  try {
    const first = onFrame(context.currentTime + leadSeconds);
    const startFrame = Math.round((first - earlierSeconds) * framesPerSecond);
    const times = chirps.offsetsSeconds.map((offset) => onFrame(first + offset));
    const end = Math.max(...times) + laterSeconds;
    const samples = new Float32Array(Math.round(end * framesPerSecond) - startFrame);
    listener.port.onmessage = ({ data }: MessageEvent<HeardSamples>) => place(data, startFrame, samples);
    microphone.connect(listener);
    // What leads nowhere is not run. It passes on silence.
    listener.connect(context.destination);
    const chirp = sounds.sound(latencySound(practice, 'chirp'));
    times.forEach((at, index) => sounds.play(chirp, at, () => listening.onChirp(index + 1)));
    const isWhole = await new Promise<boolean>((resolve) => {
      signal.addEventListener('abort', () => resolve(false), { once: true });
      // The last message of the listener is on its way by then.
      sounds.at(end + 0.3, () => resolve(true));
    });
    return isWhole ? { samples, chirpFrames: times.map((at) => Math.round(at * framesPerSecond) - startFrame) } : null;
  } finally {
    listener.port.onmessage = null;
    microphone.disconnect();
    listener.disconnect();
    sounds.stop();
  }
}

function sourceOf(context: AudioContext, stream: MediaStream): MediaStreamAudioSourceNode {
  try {
    return context.createMediaStreamSource(stream);
  } catch {
    // Some browsers refuse a microphone whose rate is not that of the context.
    throw new NoMicrophone('unsupported');
  }
}

/** Copies heard samples to their place. */
function place({ startFrame, samples }: HeardSamples, from: number, into: Float32Array): void {
  const offset = startFrame - from;
  const part = samples.subarray(Math.max(0, -offset), Math.max(0, into.length - offset));
  if (part.length > 0) into.set(part, Math.max(0, offset));
}
