// The button that records: held while one speaks, or pressed once to start and once to stop. Without a DOM.

import { Listeners } from '../sync/listeners';
import type { Timer } from '../sync/environment';
import { NoMicrophone, type MicrophoneProblem } from '../ui/microphoneStream';
import type { Microphone } from './microphone';

/** What went wrong: with the microphone, or with what it heard. `again` is no fault: permission took the first press. */
export type RecordingProblem = MicrophoneProblem | 'again' | 'short' | 'silent';

/** What the recorder is doing. */
export type RecorderState = 'idle' | 'opening' | 'recording' | 'saving';

/** What the recorder needs of its surroundings. */
export interface RecorderHost {
  openMicrophone(): Promise<Microphone>;
  /** Takes a finished recording. */
  onRecorded(sound: Blob): void;
  readonly clock: () => number;
  readonly timer: Timer;
}

/** A shorter press starts, and the next one stops. */
const holdMilliseconds = 400;
/** Nobody answers a question sooner. */
const answerMilliseconds = 1_000;
/** People let go on their last syllable. */
const tailMilliseconds = 150;
const shortestMilliseconds = 300;
/** What the server accepts. */
export const longestSeconds = 10;
/** Below this peak, −46 dB, nobody spoke. */
const quietest = 0.005;

/** Records one name after the other. */
export class NameRecorder {
  state: RecorderState = 'idle';
  problem: RecordingProblem | null = null;
  private readonly listeners = new Listeners();
  private microphone: Microphone | null = null;
  private isPressed = false;
  /** By the events' clock, and by that of the host. */
  private pressedAt = 0;
  private openedAt = 0;
  private startedAt = 0;
  /** Counts the presses that opened the microphone; what belongs to an earlier one is dropped. */
  private turn = 0;
  private stopTimer: (() => void) | null = null;

  constructor(private readonly host: RecorderHost) {}

  /** Calls back after each change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** The level of the microphone, 0 … 1. */
  get level(): number { return this.state === 'recording' ? this.microphone?.level ?? 0 : 0; }

  /** How long it has recorded, in milliseconds. */
  get milliseconds(): number { return this.state === 'recording' ? this.host.clock() - this.startedAt : 0; }

  /**
   * The button goes down. `at` is the time of the event: while the microphone opens, a slow device tells of the next
   * event much later.
   */
  press(at: number): void {
    if (this.state === 'recording') {
      void this.finish();
      return;
    }
    if (this.state !== 'idle') return;
    this.isPressed = true;
    this.pressedAt = at;
    this.openedAt = this.host.clock();
    void this.begin(this.turn += 1);
  }

  /** The button goes up. */
  release(at: number): void {
    if (!this.isPressed) return;
    this.isPressed = false;
    // A short press goes on recording until the next one.
    if (at - this.pressedAt < holdMilliseconds) return;
    if (this.state === 'recording') this.stopAfter(tailMilliseconds);
    // Whoever lets go to answer a question does not speak yet.
    else if (this.state === 'opening') this.end('again');
  }

  /** Drops what is being recorded, and releases the microphone. */
  close(): void {
    if (this.state !== 'idle') this.end(null);
  }

  private async begin(turn: number): Promise<void> {
    this.become('opening', null);
    try {
      const microphone = await this.host.openMicrophone();
      if (turn !== this.turn || this.state !== 'opening') {
        microphone.close();
        return;
      }
      this.microphone = microphone;
      const milliseconds = this.host.clock() - this.openedAt;
      if (microphone.wasAsked && !this.isPressed && milliseconds > answerMilliseconds) {
        this.end('again');
        return;
      }
      await microphone.start();
      if (turn !== this.turn || this.state !== 'opening') return;
      this.startedAt = this.host.clock();
      this.become('recording', null);
      this.stopAfter(longestSeconds * 1_000);
    } catch (failure) {
      if (turn === this.turn) this.end(failure instanceof NoMicrophone ? failure.problem : 'unsupported');
    }
  }

  private async finish(): Promise<void> {
    const { microphone, turn } = this;
    if (this.state !== 'recording' || !microphone) return;
    const { milliseconds } = this;
    this.stopTimer?.();
    this.become('saving', null);
    const sound = await microphone.stop();
    // Closed meanwhile.
    if (turn !== this.turn) return;
    const isSilent = microphone.loudest < quietest;
    const problem = milliseconds < shortestMilliseconds ? 'short' : isSilent ? 'silent' : null;
    this.end(problem);
    if (problem === null) this.host.onRecorded(sound);
  }

  private stopAfter(milliseconds: number): void {
    this.stopTimer?.();
    this.stopTimer = this.host.timer(milliseconds, () => void this.finish());
  }

  private end(problem: RecordingProblem | null): void {
    this.stopTimer?.();
    this.microphone?.close();
    this.microphone = null;
    this.isPressed = false;
    this.turn += 1;
    this.become('idle', problem);
  }

  private become(state: RecorderState, problem: RecordingProblem | null): void {
    this.state = state;
    this.problem = problem;
    this.listeners.tell();
  }
}
