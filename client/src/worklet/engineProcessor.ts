// The audio thread's end: passes commands and samples to the engine, and returns its sound and
// reports. All decisions are made in the engine.
import { Engine, type EngineEvent } from './engine';
import type { FromWorklet, ProcessorOptions, ToWorklet } from './messages';

// The globals of an AudioWorkletGlobalScope, which TypeScript's libraries do not have.
declare const currentFrame: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

type Piece = Extract<ToWorklet['command'], { kind: 'samples' }>;
type Join = Extract<ToWorklet['command'], { kind: 'join' }>;

/** Commands that end the wait for a join. */
const moving: ReadonlySet<ToWorklet['command']['kind']> =
  new Set<ToWorklet['command']['kind']>(['load', 'unload', 'play', 'pause', 'seek']);

/** During playback, one report for every 12 blocks of 128 frames: 31 a second. */
const blocksBetweenReports = 12;

/** The node's processor; processor.ts registers it. */
export class EngineProcessor extends AudioWorkletProcessor {
  private readonly engine: Engine;
  /** Queued pieces: one per block, so that none takes too much time. */
  private pieces: Piece[] = [];
  /** Carried out before the next block, whose frame alone is known exactly. */
  private join: Join | null = null;
  private sequence = 0;
  private mustReport = true;
  private blocksSinceReport = 0;
  private lastState = '';

  constructor(options: { processorOptions: ProcessorOptions }) {
    super();
    this.engine = new Engine(options.processorOptions.wasm);
    this.port.onmessage = ({ data }: MessageEvent<ToWorklet>) => {
      try {
        this.apply(data);
      } catch {
        // The browser only reports errors in `process` to the page.
        this.post({ kind: 'failed' });
      }
    };
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const [left, right] = outputs[0] ?? [];
    if (!left || !right) return true;
    this.takePiece();
    this.takeJoin();
    const clockLead = currentFrame - this.engine.clock;
    this.engine.render(left, right);
    for (let event = this.engine.nextEvent(); event; event = this.engine.nextEvent()) {
      this.passed(event, event.clock + clockLead);
      this.mustReport = true;
    }
    this.report(currentFrame + left.length);
    return true;
  }

  private apply({ sequence, command }: ToWorklet): void {
    if (command.kind === 'samples') {
      this.pieces.push(command);
      // Without sound nothing can stutter.
      while (!this.engine.isSounding && this.pieces.length > 0) this.takePiece();
      return;
    }
    if (command.kind === 'discard') {
      this.pieces = this.pieces.filter((piece) => piece.chunk !== command.chunk);
    }
    if (command.kind === 'discardAll') this.pieces = [];
    if (moving.has(command.kind)) this.join = null;
    if (command.kind === 'join') this.join = command;
    else this.engine.apply(command);
    this.sequence = sequence;
    this.mustReport = true;
  }

  /**
   * Called for an event of the engine, with its frame in the context. The report contains its
   * effect.
   */
  protected passed(_event: EngineEvent, _contextFrame: number): void {}

  private takeJoin(): void {
    if (!this.join) return;
    this.engine.apply(this.join, Math.max(0, currentFrame - this.join.contextFrame));
    this.join = null;
  }

  private takePiece(): void {
    const piece = this.pieces.shift();
    if (piece && !this.engine.provide(piece)) this.post({ kind: 'refused', chunk: piece.chunk });
  }

  private report(contextFrame: number): void {
    const { engine } = this;
    const { state } = engine;
    this.blocksSinceReport += 1;
    const isMoving = state === 'playing' || state === 'countdown' || state === 'resting';
    const isDue = isMoving && this.blocksSinceReport >= blocksBetweenReports;
    if (!this.mustReport && !isDue && state === this.lastState) return;
    this.mustReport = false;
    this.blocksSinceReport = 0;
    this.lastState = state;
    this.post({
      kind: 'report',
      sequence: this.sequence,
      state,
      frame: engine.frame,
      awaitedFrame: engine.awaitedFrame,
      runFrames: engine.runFrames,
      countdownFramesLeft: engine.countdownFramesLeft,
      countdownFrames: engine.countdownFrames,
      countInNumber: engine.countInNumber,
      repeat: engine.repeat,
      restFramesLeft: engine.restFramesLeft,
      percent: engine.percent,
      turnsWithoutGap: engine.turnsWithoutGap,
      contextFrame,
    });
  }

  private post(message: FromWorklet): void {
    this.port.postMessage(message);
  }
}
