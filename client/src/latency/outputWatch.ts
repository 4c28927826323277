// Gives the player the latency of the output that plays, and notices that it has changed. Without a DOM.

import { Listeners } from '../sync/listeners';
import {
  boundedLatency, calibrationOf, readCalibrations, withCalibration, type Calibration, type Output,
} from './calibrations';

/** What the watch needs of its surroundings. */
export interface WatchHost {
  /** The player: its latency in seconds, null for the browser's figure. */
  setLatency(seconds: number | null): void;
  readonly reportedLatency: number;
  readonly isSounding: boolean;
  subscribe(listener: () => void): () => void;
  /** The name of the output; empty if the browser does not tell. */
  outputName(): Promise<string>;
  /** Calls back when devices have come or gone. */
  onDevices(listener: () => void): void;
  /** Calls back when another tab has written. */
  onWritten(listener: () => void): void;
  read(): string | null;
  write(text: string): void;
  readonly clock: () => number;
  /**
   * Tells that the output has changed. With a name the browser's figure applies to it until it is measured; without
   * one somebody has to say whether what was measured goes on to apply.
   */
  tellChange(name: string): void;
}

/** The browser's figure is not steady right after the start. */
const settledMilliseconds = 1_000;
const lookMilliseconds = 1_000;
/** So many different figures in a row are another output. */
const looksForChange = 3;

/** The one watch of a page. */
export class OutputWatch {
  /** The calibration in use; null: the browser's own figure. */
  calibration: Calibration | null = null;
  /** The output's name; empty if the browser does not tell. */
  name = '';
  /** Whether the output has changed, and nobody has said yet what applies. */
  isAsking = false;
  private host: WatchHost | null = null;
  private isIdentified = false;
  private all: readonly Calibration[] = [];
  /** The calibration before the output changed: what "Keep" means. */
  private last: Calibration | null = null;
  private reported: number | null = null;
  private soundingSince: number | null = null;
  private lookedAt = 0;
  private differentLooks = 0;
  private readonly listeners = new Listeners();

  /** Calls back after each change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** The latency in use, in milliseconds, rounded. */
  get milliseconds(): number {
    return this.calibration?.milliseconds ?? Math.round((this.host?.reportedLatency ?? 0) * 1_000);
  }

  /** The latency that the browser states, in milliseconds, rounded; 0 if it states none. */
  get reportedMilliseconds(): number { return Math.round((this.host?.reportedLatency ?? 0) * 1_000); }

  /** Starts with what is stored; called once. */
  start(host: WatchHost): void {
    this.host = host;
    this.all = readCalibrations(host.read());
    this.choose();
    void this.identify();
    host.subscribe(() => this.look());
    host.onWritten(() => {
      this.all = readCalibrations(host.read());
      this.isAsking = false;
      this.choose();
    });
    host.onDevices(() => void this.identify().then((isKnown) => {
      // A camera, too, is a device: what was measured applies until somebody says otherwise.
      if (!isKnown && this.calibration) this.ask();
    }));
  }

  /** Finds out which output plays; returns whether the browser tells. */
  async identify(): Promise<boolean> {
    const name = await this.host?.outputName() ?? '';
    if (name !== this.name) {
      this.name = name;
      this.reported = null;
      this.isAsking = false;
      this.choose();
      if (name !== '' && this.isIdentified && this.isUnmeasured) this.host?.tellChange(name);
    }
    this.isIdentified = true;
    return name !== '';
  }

  /** Stores a measured or chosen latency for the output that plays. */
  save(measured: Pick<Calibration, 'milliseconds' | 'margin' | 'isSure' | 'way'>): void {
    const stated = this.host?.reportedLatency ?? 0;
    this.isAsking = false;
    this.store(withCalibration(this.all, {
      ...measured, milliseconds: boundedLatency(measured.milliseconds), margin: Math.round(measured.margin),
      output: this.name, reported: stated > 0 ? Math.round(stated * 1_000) : null,
    }));
  }

  /** The output is the same, or as late: what was measured goes on to apply. */
  keep(): void {
    const kept = this.calibration ?? this.last ?? this.all[0];
    if (kept) this.save(kept);
  }

  /** Forgets what was measured of this output: the browser's figure applies. */
  forget(): void {
    const { calibration } = this;
    this.isAsking = false;
    this.last = null;
    this.store(this.all.filter((each) => each !== calibration));
  }

  private store(all: readonly Calibration[]): void {
    this.all = all;
    this.host?.write(JSON.stringify(all));
    this.differentLooks = 0;
    this.reported = null;
    this.choose();
  }

  /** Compares the browser's figure, now and then, while it plays. */
  private look(): void {
    const { host } = this;
    if (!host?.isSounding) {
      this.soundingSince = null;
      return;
    }
    const now = host.clock();
    this.soundingSince ??= now;
    if (now - this.soundingSince < settledMilliseconds || now - this.lookedAt < lookMilliseconds) return;
    this.lookedAt = now;
    const reported = host.reportedLatency > 0 ? host.reportedLatency * 1_000 : null;
    const output: Output = { name: this.name, reported };
    const isDifferent = calibrationOf(this.all, output).calibration !== this.calibration;
    this.differentLooks = isDifferent ? this.differentLooks + 1 : 0;
    if (this.differentLooks < looksForChange) return;
    this.differentLooks = 0;
    this.reported = reported;
    this.isAsking = false;
    this.choose();
  }

  /** Whether other outputs were measured, and this one was not. */
  private get isUnmeasured(): boolean { return this.calibration === null && this.all.length > 0; }

  private choose(): void {
    const { calibration, isOther } = calibrationOf(this.all, { name: this.name, reported: this.reported });
    if (calibration) this.last = calibration;
    this.calibration = calibration;
    this.host?.setLatency(calibration && calibration.milliseconds / 1_000);
    if (isOther && this.name === '') this.ask();
    else this.listeners.tell();
  }

  private ask(): void {
    if (!this.isAsking) this.host?.tellChange('');
    this.isAsking = true;
    this.listeners.tell();
  }
}
