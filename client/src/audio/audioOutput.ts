// The browser's audio: the context, its worklet, and the quirks of phones.
import { framesPerSecond } from '../timeline';
import { Command, FromWorklet, ToWorklet, pieceFrames, processorName } from '../worklet/messages';
import { words } from '../words/words';
import { AudioClock } from './audioClock';
import { DecodedChunk } from './types';

interface Options {
  wasmURL: string;
  workletURL: string;
  onMessage(message: FromWorklet): void;
  /** Called when the context starts, stops or is interrupted. */
  onChange(): void;
  /** Called with a sentence if sound is not possible. */
  onFailure(sentence: string): void;
}

/** WebKit has a further state: a call or the lock screen has interrupted the audio. */
type ContextState = AudioContextState | 'interrupted';
interface AudioSession { type: string }

/** After this long without playback the context is suspended, which saves power on phones. */
const restMilliseconds = 30_000;
/** The same if no part is loaded; switching to the next part takes less time. */
const leaveMilliseconds = 2_000;
const gestures = ['pointerdown', 'pointerup', 'touchend', 'keydown'] as const;

/**
 * The path from commands to the loudspeaker. One context and one node serve as long as the app is
 * open, and are suspended in between. Closing and recreating them on every page leaks memory in
 * Chromium, and WebKitGTK hangs or crashes after some dozens (both tried).
 */
export class AudioOutput {
  private readonly options: Options;
  private context: AudioContext | null = null;
  private node: AudioWorkletNode | null = null;
  private wasm: Promise<ArrayBuffer> | null = null;
  private restTimer: ReturnType<typeof setTimeout> | undefined;
  private isWanted = false;
  private readonly clock = new AudioClock();
  private isClosed = false;
  /** The measured latency of the output in seconds; null for the browser's own figure. */
  latencySeconds: number | null = null;

  constructor(options: Options) {
    this.options = options;
  }

  /** Loads the engine before the first gesture; after a failure `open` tries again. */
  prepare(): void {
    this.fetchWasm().catch(() => { this.wasm = null; });
  }

  /** Whether commands reach the engine. */
  get isReady(): boolean { return this.node !== null; }

  /** Whether the audio clock is running. */
  get isRunning(): boolean { return this.node !== null && this.context?.state === 'running'; }

  /** Whether playback is wanted but blocked by the browser, usually until the page is touched. */
  get isHeldBack(): boolean {
    return this.isWanted && this.node !== null && this.context?.state !== 'running';
  }

  /** The frame of the context that is being rendered. */
  get contextFrame(): number { return (this.context?.currentTime ?? 0) * framesPerSecond; }

  /** The latency that the browser states of the output, in seconds; 0 if it states none. */
  get reportedSeconds(): number {
    const latency = this.context?.outputLatency ?? 0;
    return Number.isFinite(latency) ? latency : 0;
  }

  /** The frame of the context that is audible now. */
  get heardContextFrame(): number {
    return this.contextFrame - (this.latencySeconds ?? this.reportedSeconds) * framesPerSecond;
  }

  /** Notes how far the audio clock is; the more often, the better is known what is heard when. */
  noteClock(): void {
    if (this.context?.state === 'running') this.clock.note(this.context.currentTime, performance.now());
  }

  /** The frame of the context that is audible at a time of `performance.now()`; null while the clock stands still. */
  heardFrameAt(milliseconds: number): number | null {
    if (!this.isRunning) return null;
    const frame = this.clock.frameAt(milliseconds);
    return frame === null ? null : frame - (this.latencySeconds ?? this.reportedSeconds) * framesPerSecond;
  }

  /** Opens the audio for sounds of the page, on the same way to the ear; null if there is none. In a gesture. */
  borrow(): AudioContext | null {
    this.open();
    this.setWanted(true);
    return this.context;
  }

  /** Starts or resumes the audio. Must be called in a user gesture. */
  open(): void {
    if (this.isClosed) return;
    if (this.context) {
      this.resume();
      return;
    }
    if (!globalThis.isSecureContext) {
      this.options.onFailure(words.audio.insecure);
      return;
    }
    // Before the context is created, or an iPhone's silent switch mutes it.
    const { audioSession } = navigator as Navigator & { audioSession?: AudioSession };
    if (audioSession) audioSession.type = 'playback';
    let context: AudioContext;
    try {
      context = new AudioContext({ sampleRate: framesPerSecond, latencyHint: 'interactive' });
    } catch {
      this.options.onFailure(words.audio.notStarted);
      return;
    }
    this.context = context;
    context.addEventListener('statechange', this.stateChanged);
    for (const gesture of gestures) document.addEventListener(gesture, this.resumeIfWanted, true);
    document.addEventListener('visibilitychange', this.resumeIfWanted);
    this.resume();
    this.connect(context).catch(() => this.fail(context));
  }

  /** Sets whether sound is wanted; after a while without it, the context is suspended. */
  setWanted(isWanted: boolean, milliseconds = restMilliseconds): void {
    this.isWanted = isWanted;
    clearTimeout(this.restTimer);
    if (isWanted || !this.context) return;
    this.restTimer = setTimeout(() => { void this.context?.suspend(); }, milliseconds);
  }

  /** Nothing is loaded: the context is suspended soon, and with it the audio thread. */
  leave(): void {
    this.setWanted(false, leaveMilliseconds);
  }

  send(sequence: number, command: Command, transfer: Transferable[] = []): void {
    const message: ToWorklet = { sequence, command };
    this.node?.port.postMessage(message, transfer);
  }

  /**
   * Passes a chunk to the engine, in pieces that the audio thread can process between two blocks.
   */
  sendChunk(sequence: number, chunk: number, { left, right }: DecodedChunk): void {
    for (let offset = 0; offset < left.length; offset += pieceFrames) {
      const piece = {
        left: left.slice(offset, offset + pieceFrames),
        right: right.slice(offset, offset + pieceFrames),
      };
      this.send(
        sequence, { kind: 'samples', chunk, offset, ...piece },
        [piece.left.buffer, piece.right.buffer]);
    }
  }

  close(): void {
    this.isClosed = true;
    this.release();
  }

  private async connect(context: AudioContext): Promise<void> {
    const [wasm] = await Promise.all([
      this.fetchWasm(),
      context.audioWorklet.addModule(this.options.workletURL),
    ]);
    if (this.context !== context) return;
    const node = new AudioWorkletNode(context, processorName, {
      numberOfInputs: 0,
      outputChannelCount: [2],
      processorOptions: { wasm },
    });
    node.onprocessorerror = () => this.fail(context);
    node.port.onmessage = ({ data }: MessageEvent<FromWorklet>) => {
      if (data.kind === 'failed') this.fail(context);
      else this.options.onMessage(data);
    };
    node.connect(context.destination);
    this.node = node;
    this.options.onChange();
  }

  private fetchWasm(): Promise<ArrayBuffer> {
    this.wasm ??= fetch(this.options.wasmURL).then((response) => {
      if (!response.ok) throw new Error(`${this.options.wasmURL} answered ${response.status}`);
      return response.arrayBuffer();
    });
    return this.wasm;
  }

  private fail(context: AudioContext): void {
    if (this.context !== context) return;
    // Everything is released, so that the next gesture starts again.
    this.release();
    this.wasm = null;
    this.options.onFailure(words.audio.notStarted);
  }

  private release(): void {
    const { context } = this;
    clearTimeout(this.restTimer);
    for (const gesture of gestures) {
      document.removeEventListener(gesture, this.resumeIfWanted, true);
    }
    document.removeEventListener('visibilitychange', this.resumeIfWanted);
    if (this.node) {
      this.node.port.onmessage = null;
      this.node.disconnect();
    }
    this.node = null;
    this.context = null;
    context?.removeEventListener('statechange', this.stateChanged);
    // Closing only fails if the browser has already closed the context.
    context?.close().catch(() => undefined);
  }

  private readonly stateChanged = (): void => {
    this.clock.reset();
    this.options.onChange();
  };

  private readonly resumeIfWanted = (): void => {
    if (this.isWanted && document.visibilityState === 'visible') this.resume();
  };

  private resume(): void {
    const state: ContextState | undefined = this.context?.state;
    if (state === 'running' || state === 'closed') return;
    // Refused outside a gesture: the next gesture tries again.
    this.context?.resume().catch(() => undefined);
  }
}
