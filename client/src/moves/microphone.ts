// The browser's microphone: opened for one recording, and released at once after it.

import { NoMicrophone, openStream, releaseStream } from '../ui/microphoneStream';

/** An open microphone. */
export interface Microphone {
  /** The present level and the highest so far, 0 … 1. */
  readonly level: number;
  readonly loudest: number;
  /** Whether the browser may have asked for permission. */
  readonly wasAsked: boolean;
  /** Starts to record; settles when the browser records. */
  start(): Promise<void>;
  /** Ends the recording and returns it. */
  stop(): Promise<Blob>;
  /** Releases the microphone. */
  close(): void;
}

/**
 * Echo cancellation is for calls: with it a phone turns the loudspeaker down and cuts the voice's highs. Nothing
 * plays meanwhile. The level is the server's work. A hall is noisy, so noise may be suppressed.
 */
const constraints: MediaTrackConstraints = {
  echoCancellation: false, autoGainControl: false, noiseSuppression: true, channelCount: 1,
};
/** The first that the browser can write: Chromium and Firefox, then WebKit. */
const types = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];
const bitsPerSecond = 128_000;
const lookMilliseconds = 40;

/** Opens the microphone; asks for permission if that is needed. Must be called in a user gesture. */
export async function openMicrophone(): Promise<Microphone> {
  const mimeType = typeof MediaRecorder === 'undefined' ? undefined : types.find((type) => MediaRecorder.isTypeSupported(type));
  if (globalThis.isSecureContext && mimeType === undefined) throw new NoMicrophone('unsupported');
  // Before the question, while this is still a gesture: a context that is made later may stay silent.
  const context = new AudioContext();
  void context.resume();
  const asks = asksForPermission();
  try {
    const stream = await openStream(constraints);
    return new OpenMicrophone(stream, context, mimeType ?? '', await asks);
  } catch (failure) {
    void context.close();
    throw failure;
  }
}

async function asksForPermission(): Promise<boolean> {
  try {
    // TypeScript's list of names lacks it.
    const { state } = await navigator.permissions.query({ name: 'microphone' as PermissionName });
    return state === 'prompt';
  } catch {
    return false;
  }
}

class OpenMicrophone implements Microphone {
  level = 0;
  loudest = 0;
  private readonly recorder: MediaRecorder;
  private readonly looking: ReturnType<typeof setInterval>;

  constructor(
    private readonly stream: MediaStream, private readonly context: AudioContext, mimeType: string, readonly wasAsked: boolean,
  ) {
    this.recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: bitsPerSecond });
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    this.looking = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      this.level = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      this.loudest = Math.max(this.loudest, this.level);
    }, lookMilliseconds);
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.recorder.addEventListener('start', () => resolve(), { once: true });
      this.recorder.addEventListener('error', () => reject(new NoMicrophone('busy')), { once: true });
      this.recorder.start();
    });
  }

  stop(): Promise<Blob> {
    return new Promise((resolve) => {
      const pieces: Blob[] = [];
      this.recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
      this.recorder.addEventListener('stop', () => resolve(new Blob(pieces, { type: this.recorder.mimeType })), { once: true });
      this.recorder.stop();
    });
  }

  close(): void {
    clearInterval(this.looking);
    releaseStream(this.stream);
    void this.context.close();
  }
}
