// One measurement by taps: plays the clicks, takes the taps, and ends once it is sure.

import { Listeners } from '../sync/listeners';
import { tapClicks, type PracticeExports } from '../generated/practice';
import { isMeasured, latencyOfTaps, latencySound, type LatencyEstimate } from '../practice/latency';
import { onFrame, SoundPlayer } from './soundPlayer';

/** Between the press that starts it and the first click. */
const leadSeconds = 1;
/** So many clicks are scheduled ahead. */
const ahead = 4;

/** Runs from its creation until `estimate` is there, or until `close`. */
export class TapMeasurement {
  /** The clicks that were played. */
  clicks = 0;
  /** The taps so far. */
  taps = 0;
  /** The result; null while it goes on. */
  estimate: LatencyEstimate | null = null;
  private readonly sounds: SoundPlayer;
  private readonly loud: AudioBuffer;
  private readonly quiet: AudioBuffer;
  private readonly firstClick: number;
  private readonly times: number[] = [];
  private readonly listeners = new Listeners();

  /** `reported` is the latency that the browser states, in seconds. */
  constructor(private readonly practice: PracticeExports, context: AudioContext, private readonly reported: () => number) {
    this.sounds = new SoundPlayer(context);
    this.loud = this.sounds.sound(latencySound(practice, 'click'));
    this.quiet = this.sounds.sound(latencySound(practice, 'between'));
    this.firstClick = onFrame(context.currentTime + leadSeconds);
    for (let click = 0; click < ahead; click += 1) this.schedule(click);
  }

  /** Calls back after each change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Takes a tap at an event's time. The audio clock and that of events are read at the same moment. */
  tap(timeStamp: number): void {
    if (this.estimate) return;
    const { context } = this.sounds;
    this.times.push(context.currentTime - (performance.now() - timeStamp) / 1_000);
    this.taps += 1;
    this.listeners.tell();
  }

  /** Ends it without a result. */
  close(): void {
    this.sounds.stop();
    this.listeners.clear();
  }

  private schedule(click: number): void {
    const at = this.firstClick + click * tapClicks.periodSeconds;
    this.sounds.play(this.loud, at);
    this.sounds.play(this.quiet, at + tapClicks.periodSeconds / 2);
    // By then taps with this click are there, unless the sound is very late.
    this.sounds.at(at + 0.9 * tapClicks.periodSeconds, () => this.passed(click));
  }

  private passed(click: number): void {
    this.clicks = click + 1;
    const estimate = latencyOfTaps(this.practice, { first: this.firstClick, reported: this.reported() }, this.times);
    if (isMeasured(this.practice, this.clicks, estimate.certainty)) {
      this.estimate = estimate;
      this.sounds.stop();
    } else if (click + ahead < tapClicks.most) {
      this.schedule(click + ahead);
    }
    this.listeners.tell();
  }
}
