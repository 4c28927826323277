// The player for the interface: one part at a time, its audio loaded as needed, and its state as
// snapshots. A press shows at once; the engine confirms it.
import { Listeners } from '../sync/listeners';
import { chunkFrames, framesPerSecond } from '../timeline';
import type { Command, FromWorklet, Report } from '../worklet/messages';
import { addresses } from '../builtAssets';
import { AudioOutput } from './audioOutput';
import { hasBeats, packedBeats, type PlayedBeat } from './beats';
import { playbackBounds, seekTarget, startFrameOf, type PlaybackBounds } from './bounds';
import { ChunkFeed } from './chunkFeed';
import { servedChunks } from './chunkLoader';
import { framesOf, settingCommand, settingCommands, settingKeys, type SettingCommand } from './engineSettings';
import { heardFrame, momentOf } from './playbackPosition';
import type { Call, NameHost, Names } from './names';
import { VoiceFeed } from './voice';
import { HeardMoment, PlayerPart, PlayerSettings, PlayerSnapshot, PlayerState, TickSound } from './types';

export type {
  HeardMoment, LoopMode, PlayerPart, PlayerSettings, PlayerSnapshot, PlayerState, TickSound, Trainer, PlayableStretch,
} from './types';

export interface PlayerOptions {
  wasmURL?: string;
  workletURL?: string;
  /** Returns why a part's audio is not available at present; null if it is. */
  absenceOf?: (part: PlayerPart) => string | null;
}

/** A report of the engine, and what it is about. */
export interface PlayerReport {
  readonly report: Report;
  readonly part: PlayerPart;
  readonly bounds: PlaybackBounds;
  /** Whether the part's audio itself is heard. */
  readonly hasMusic: boolean;
}

const emptySnapshot: PlayerSnapshot = {
  state: 'empty',
  wantsToPlay: false,
  frame: 0,
  countdownFramesLeft: 0,
  countdownFrames: 0,
  countInNumber: 0,
  repeat: 0,
  restFramesLeft: 0,
  percent: 100,
  hasBeats: false,
  isClickAlone: false,
  isVoiceMissing: false,
  missingNames: 0,
  isFetchingNames: false,
  problem: null,
};

/** The settings of playback that has no counts. */
export const withoutCounts = { countIn: 'seconds', clickVolume: 0 } as const;

/** The default settings. */
export const plainSettings: PlayerSettings = {
  ...withoutCounts,
  loopMode: 'off',
  markerA: null,
  markerB: null,
  countdownSeconds: 0,
  countdownRepeats: 'every',
  tickSound: 'clave',
  tickVolume: 100,
  percent: 100,
  semitones: 0,
  repeatLimit: 0,
  restSeconds: 0,
  trainer: { from: 100, to: 100, step: 0, every: 0 },
};

/** Commands after which the engine may have another state or position. */
const movingCommands: ReadonlySet<Command['kind']> =
  new Set<Command['kind']>(['load', 'unload', 'play', 'pause', 'seek', 'join', 'loop']);
/** Those of them after which sound starts again. */
const beginningCommands: ReadonlySet<Command['kind']> = new Set<Command['kind']>(['play', 'seek', 'join']);

/** States in which a report follows at least every 12 blocks. */
const movingStates: ReadonlySet<Report['state']> = new Set<Report['state']>(['playing', 'countdown', 'resting']);

/** Plays one part at a time. Its state is a `PlayerSnapshot`. */
export class Player {
  private current = emptySnapshot;
  private readonly listeners = new Listeners();
  private readonly reportListeners = new Listeners<PlayerReport>();
  private readonly output: AudioOutput;
  private readonly feed: ChunkFeed;
  private readonly voice: VoiceFeed;
  /** Null until something is called: its code comes later than the player's. */
  private names: Names | null = null;

  private part: PlayerPart | null = null;
  private settings = plainSettings;
  private beats: readonly PlayedBeat[] = [];
  private partHasBeats = false;
  private wantsToPlay = false;
  private problem: string | null = null;
  /** The position of playback while the engine has not reported it. */
  private frame = 0;
  private restingState: 'ready' | 'paused' | 'ended' = 'ready';
  /** A tick to play as soon as the audio runs. */
  private pendingPreview: { readonly sound: TickSound; readonly volume: number } | null = null;

  /** Counts the commands that move playback; a report from before the latest is outdated. */
  private sequence = 0;
  /**
   * The latest command after which sound starts again, and the context's frame at which it was
   * sent.
   */
  private beginning = { sequence: 0, contextFrame: 0 };
  /** The expected state, until the engine has answered the latest command. */
  private expectedState: 'countdown' | 'playing' | 'loading' = 'playing';
  private report: Report | null = null;
  /** The latest report whose moment is heard, and those after it, of the latest command. */
  private reports: Report[] = [];
  private isAttached = false;
  private isMuted = false;
  /** How often `seek` was called. */
  seeks = 0;

  constructor(options: PlayerOptions = {}) {
    this.feed = new ChunkFeed(
      servedChunks,
      {
        isAttached: () => this.isAttached,
        sendChunk: (chunk, decoded) => this.output.sendChunk(this.sequence, chunk, decoded),
        discard: (chunk) => this.send({ kind: 'discard', chunk }),
        discardAll: () => this.send({ kind: 'discardAll' }),
      },
      () => this.followPlan(),
      () => (this.part && options.absenceOf?.(this.part)) ?? null);
    this.voice = new VoiceFeed({
      give: (voice) => this.send({ kind: 'voice', ...voice }),
      onChange: () => this.refresh(),
    });
    this.output = new AudioOutput({
      wasmURL: options.wasmURL ?? addresses.engine,
      workletURL: options.workletURL ?? addresses.worklet,
      onMessage: (message) => this.hear(message),
      onChange: () => this.attach(),
      onFailure: (sentence) => this.stopWith(sentence),
    });
  }

  /** The current state; the same object until something changes. */
  get snapshot(): PlayerSnapshot { return this.current; }

  /** Calls back on every change of the snapshot, about 30 times a second while playing. */
  readonly subscribe = this.listeners.add;

  /** Calls back with each report of the engine about what is loaded, unless a later command made it outdated. */
  readonly onReport = this.reportListeners.add;

  /**
   * Whether the browser blocks the sound until the page is touched; true for a moment at each
   * start.
   */
  get isHeldBack(): boolean { return this.output.isHeldBack; }

  /** Sets the measured latency of the output in seconds; null for the browser's own figure. */
  setLatency(seconds: number | null): void {
    this.output.latencySeconds = seconds;
    this.refresh();
  }

  /** The latency that the browser states of the output, in seconds; 0 if it states none. */
  get reportedLatency(): number { return this.output.reportedSeconds; }

  /** Stops, and opens the output for other sounds of the page; null if there is none. Call it in a gesture. */
  borrowOutput(): AudioContext | null {
    this.pause();
    return this.output.borrow();
  }

  /** The other sounds are over. */
  returnOutput(): void {
    this.output.setWanted(this.wantsToPlay);
  }

  /** Returns the frame that is audible now, by the audio clock. */
  position(): number {
    const { part } = this;
    const report = this.heardReport;
    if (!part || !report) return this.frame;
    if (report.state !== 'playing') return report.frame;
    const bounds = playbackBounds(part, this.settings);
    return heardFrame({
      frame: report.frame,
      runFrames: report.runFrames,
      percent: report.percent,
      elapsedFrames: this.output.heardContextFrame - report.contextFrame,
      loopsWithoutGap: report.turnsWithoutGap,
      bounds,
    });
  }

  /** What is loaded, and how it is played. */
  get loaded(): PlayerPart | null { return this.part; }
  get playedSettings(): PlayerSettings { return this.settings; }

  /**
   * Returns what is heard at a time of `performance.now()`, near the present; null while that is not known: a command
   * is on its way, or what was heard before it is still heard.
   */
  heardAt(milliseconds: number): HeardMoment | null {
    const report = this.heardReport;
    const heard = this.output.heardFrameAt(milliseconds);
    if (!report || heard === null || !this.part || !this.output.isRunning) return null;
    return momentOf(report, heard, this.bounds);
  }

  /** In how many seconds the starting sound is audible, 0 once it is; null if none is starting. */
  get startsIn(): number | null {
    const { state } = this.current;
    if (state !== 'countdown' && state !== 'playing') return null;
    const { beginning } = this;
    const report = this.heardReport ?? this.report;
    const isAnswered = report && report.sequence >= beginning.sequence;
    const frame = !isAnswered
      ? beginning.contextFrame + this.current.countdownFramesLeft
      : report.state === 'countdown'
        ? report.contextFrame + report.countdownFramesLeft
        : report.contextFrame - (report.runFrames * 100) / report.percent;
    return Math.max(0, frame - this.output.heardContextFrame) / framesPerSecond;
  }

  /**
   * Switches to a part, or to none; any sound stops. Needs no gesture. `beats` are its beats, see
   * `setBeats`.
   */
  load(part: PlayerPart | null, settings: PlayerSettings, beats: readonly PlayedBeat[] = []): void {
    this.part = part;
    this.settings = settings;
    this.beats = beats;
    this.partHasBeats = part !== null && hasBeats(part, beats);
    this.names?.follow([]);
    this.wantsToPlay = false;
    this.problem = null;
    this.restingState = 'ready';
    this.frame = part ? playbackBounds(part, settings).startFrame : 0;
    if (part) {
      this.output.setWanted(false);
      this.output.prepare();
    } else {
      this.output.leave();
    }
    // The part first, so that the current sound fades out before its audio is removed.
    this.sendPart();
    this.feed.open(part);
    this.followPlan();
  }

  /** Changes some settings; playback continues. */
  update(changes: Partial<PlayerSettings>): void {
    const before = this.settings;
    this.frame = this.position();
    this.settings = { ...before, ...changes };
    for (const command of settingCommands) {
      if (settingKeys[command].every((key) => this.settings[key] === before[key])) continue;
      this.sendSetting(command);
      if (command === 'loop') this.frame = this.keptInBounds(this.frame);
    }
    this.followPlan();
  }

  /**
   * Sets the beats of the loaded part, with rising frames, which clicks and count-ins follow. At any time:
   * playback continues.
   */
  setBeats(beats: readonly PlayedBeat[]): void {
    this.beats = beats;
    this.partHasBeats = this.part !== null && hasBeats(this.part, beats);
    if (this.part) {
      this.sendBeats();
      this.followVoice();
    }
    this.refresh();
  }

  /**
   * Sets the names that are said ahead of the moves of the loaded part, with frames that do not fall. At any
   * time: playback continues, and a name that was said is not said again. `makeNames` makes what fetches them.
   */
  setCalls(calls: readonly Call[], makeNames: (host: NameHost) => Names): void {
    this.names ??= makeNames({ send: (command) => this.send(command), onChange: () => this.refresh() });
    this.names.follow(this.part ? calls : []);
    this.refresh();
  }

  /** Plays with the countdown; from the start after the end, or near it. Call it in a gesture. */
  play(): void {
    if (!this.part || this.wantsToPlay) return;
    this.wantsToPlay = true;
    if (this.problem !== null) {
      this.problem = null;
      this.feed.open(this.part);
    }
    const { bounds, frame } = this;
    // The engine itself goes back from the end, and counts the repeats anew, which it does not after a seek.
    if (this.restingState === 'ended') this.frame = bounds.startFrame;
    else {
      this.frame = startFrameOf(frame, bounds, framesOf(this.settings.startOverSeconds ?? 0));
      if (this.frame !== frame) this.send({ kind: 'seek', frame: this.frame });
    }
    // Only the engine knows whether and how long it counts in.
    const mayCountIn = this.settings.countIn !== 'seconds' && this.beats.length > 0;
    this.expectedState =
      mayCountIn ? 'loading' : this.settings.countdownSeconds > 0 ? 'countdown' : 'playing';
    this.output.setWanted(true);
    this.output.open();
    this.followVoice();
    this.names?.retry();
    this.send({ kind: 'play' });
    this.followPlan();
  }

  /**
   * Plays along with another player, so that what is heard here at a time of `performance.now()` is `frame`, or has
   * these frames of a countdown left. The first time call it in a gesture.
   */
  join(frame: number, countdownFramesLeft: number, milliseconds: number): void {
    if (!this.part || this.problem !== null) return;
    const target = seekTarget(frame, this.bounds);
    this.wantsToPlay = true;
    this.restingState = 'paused';
    this.frame = target;
    this.expectedState = countdownFramesLeft > 0 ? 'countdown' : 'playing';
    this.output.setWanted(true);
    this.output.open();
    this.followVoice();
    const contextFrame = this.output.heardFrameAt(milliseconds) ?? this.output.contextFrame;
    this.send({
      kind: 'join', frame: Math.round(target), countdownFramesLeft: Math.round(countdownFramesLeft),
      contextFrame: Math.round(contextFrame),
    });
    this.followPlan();
  }

  /** Switches all sound off or on; playback goes on. */
  setMuted(isMuted: boolean): void {
    this.isMuted = isMuted;
    this.send({ kind: 'volume', volume: isMuted ? 0 : 1 });
  }

  pause(): void {
    if (!this.part || !this.wantsToPlay) return;
    this.frame = this.position();
    this.restingState = 'paused';
    this.rest();
    this.send({ kind: 'pause' });
    this.followPlan();
  }

  toggle(): void {
    if (this.wantsToPlay) this.pause();
    else this.play();
  }

  /** Moves to a frame of the track, kept inside the part or the active section. */
  seek(frame: number): void {
    if (!this.part) return;
    const { bounds } = this;
    const target = seekTarget(frame, bounds);
    this.seeks += 1;
    this.frame = target;
    if (!bounds.repeats && target >= bounds.endFrame) {
      this.restingState = 'ended';
      this.rest();
    } else if (this.restingState === 'ended') {
      this.restingState = 'paused';
    }
    this.send({ kind: 'seek', frame: target });
    this.followPlan();
  }

  /** Moves by a number of frames from the audible position. */
  skip(deltaFrames: number): void {
    this.seek(this.position() + deltaFrames);
  }

  /** Starts the audio, so that a later `play` needs no gesture. Call it in a gesture. */
  open(): void {
    this.output.open();
    this.output.setWanted(this.wantsToPlay);
  }

  /** Plays a tick once, at a volume in percent. Call it in a gesture. */
  previewTick(sound: TickSound, volume: number): void {
    this.open();
    this.pendingPreview = { sound, volume };
    if (this.isAttached) this.sendPreview();
  }

  /** The number of decoded chunks, of 3.84 MB each. */
  get decodedChunks(): number { return this.feed.count; }

  /** Releases everything. */
  dispose(): void {
    this.load(null, this.settings);
    this.feed.forget();
    this.output.close();
    this.listeners.clear();
    this.reportListeners.clear();
  }

  /** Whether the audio loops without a gap at the next end. */
  get turnsWithoutGap(): boolean { return this.freshReport?.turnsWithoutGap ?? false; }

  /** The range of playback: the section, or else the part. */
  get bounds() {
    return playbackBounds(
      this.part ?? { id: '', trackId: '', trackLengthFrames: 0, startFrame: 0, endFrame: 0 },
      this.settings);
  }

  private get freshReport(): Report | null {
    return this.report?.sequence === this.sequence ? this.report : null;
  }

  /** The report of what is heard: a loudspeaker may be late by many reports. */
  private get heardReport(): Report | null {
    const report = this.freshReport;
    // At rest no further report would bring the one that is heard next.
    if (!report || !movingStates.has(report.state)) return report;
    const heard = this.output.heardContextFrame;
    const { reports } = this;
    while (reports[1] && reports[1].contextFrame <= heard) reports.shift();
    return reports[0] ?? report;
  }

  /** The speed at the start. */
  private get firstPercent(): number {
    if (!this.part) return 100;
    const { trainer, percent, loopMode } = this.settings;
    return trainer.every > 0 && loopMode !== 'off' ? trainer.from : percent;
  }

  private keptInBounds(frame: number): number {
    const { bounds } = this;
    const isInside = frame >= bounds.startFrame && frame < bounds.endFrame;
    return isInside || !bounds.repeats ? frame : bounds.startFrame;
  }

  // To the engine.

  private send(command: Command): void {
    if (!this.isAttached) return;
    if (movingCommands.has(command.kind)) this.sequence += 1;
    if (beginningCommands.has(command.kind)) {
      this.beginning = { sequence: this.sequence, contextFrame: this.output.contextFrame };
    }
    this.output.send(this.sequence, command);
  }

  private sendSetting(command: SettingCommand): void {
    if (command === 'voice') this.followVoice();
    else this.send(settingCommand(command, this.settings));
  }

  /** Without beats nothing is counted, so no voice is fetched. */
  private followVoice(): void {
    this.voice.follow(this.beats.length > 0 ? this.settings.voice ?? null : null);
  }

  private sendBeats(): void {
    this.send({ kind: 'beats', beats: packedBeats(this.beats) });
  }

  private sendPreview(): void {
    if (!this.pendingPreview) return;
    const { sound, volume } = this.pendingPreview;
    this.pendingPreview = null;
    this.send({ kind: 'tickVolume', volume: volume / 100 });
    this.send({ kind: 'preview', sound });
  }

  private sendPart(): void {
    const { part } = this;
    if (!part) {
      this.send({ kind: 'unload' });
      return;
    }
    this.send({ kind: 'load', startFrame: part.startFrame, endFrame: part.endFrame });
    for (const command of settingCommands) this.sendSetting(command);
    if (this.beats.length > 0) this.sendBeats();
    if (this.frame !== part.startFrame) this.send({ kind: 'seek', frame: this.frame });
  }

  /** The engine may have been attached, or the context may have started or stopped. */
  private attach(): void {
    if (this.output.isReady && !this.isAttached) {
      this.isAttached = true;
      if (this.isMuted) this.setMuted(true);
      this.sendPart();
      this.feed.handOver();
      this.voice.handOver();
      this.names?.handOver();
      this.sendPreview();
      if (this.wantsToPlay) this.send({ kind: 'play' });
    }
    this.followPlan();
  }

  // From the engine.

  private hear(message: FromWorklet): void {
    if (message.kind === 'refused') this.feed.refused(message.chunk);
    if (message.kind !== 'report') return;
    this.output.noteClock();
    if (this.report?.sequence !== message.sequence) this.reports = [];
    this.report = message;
    this.reports.push(message);
    const fresh = this.freshReport;
    if (!fresh || !this.part) return;
    this.frame = fresh.frame;
    const hasMusic = this.settings.musicVolume !== 0;
    this.reportListeners.tell({ report: fresh, part: this.part, bounds: this.bounds, hasMusic });
    if (fresh.state === 'playing' || fresh.state === 'countdown') this.expectedState = fresh.state;
    if (fresh.state === 'ended') {
      this.restingState = 'ended';
      this.rest();
    }
    this.followPlan();
  }

  private stopWith(sentence: string): void {
    this.frame = this.position();
    this.problem = sentence;
    this.restingState = 'paused';
    this.isAttached = this.output.isReady;
    if (!this.isAttached) {
      // The engine is gone with its state.
      this.report = null;
      this.feed.forget();
    }
    this.rest();
    this.send({ kind: 'pause' });
    this.refresh();
  }

  private rest(): void {
    this.wantsToPlay = false;
    this.output.setWanted(false);
  }

  /** Updates the chunks for the playhead, and notifies listeners. */
  private followPlan(): void {
    if (this.part) {
      const report = this.freshReport;
      // At another speed the engine reads ahead of the audible position.
      const awaited = report?.state === 'waiting' ? report.awaitedFrame : null;
      const sentence =
        this.feed.follow(this.part, this.bounds, this.frame, awaited, this.wantsToPlay);
      if (sentence !== null && this.problem === null) {
        this.stopWith(sentence);
        return;
      }
    }
    this.refresh();
  }

  private get state(): PlayerState {
    if (!this.part) return 'empty';
    if (this.problem !== null) return 'problem';
    if (!this.wantsToPlay) return this.restingState;
    if (!this.output.isRunning) return 'loading';
    const report = this.heardReport;
    if (
      report?.state === 'playing' || report?.state === 'countdown' || report?.state === 'resting'
    ) return report.state;
    // The engine has not answered yet, but it will start at the next block if the audio is loaded.
    const isThere = this.feed.has(Math.floor(this.frame / chunkFrames));
    return report || !isThere ? 'loading' : this.expectedState;
  }

  private refresh(): void {
    const { state } = this;
    const report = this.heardReport;
    const countdownFrames = framesOf(this.settings.countdownSeconds);
    const next: PlayerSnapshot = {
      state,
      wantsToPlay: this.wantsToPlay,
      frame: this.position(),
      countdownFramesLeft:
        state === 'countdown' ? report?.countdownFramesLeft ?? countdownFrames : 0,
      countdownFrames: state === 'countdown' ? report?.countdownFrames ?? countdownFrames : 0,
      countInNumber: state === 'countdown' ? report?.countInNumber ?? 0 : 0,
      repeat: report?.repeat ?? this.current.repeat,
      restFramesLeft: state === 'resting' ? report?.restFramesLeft ?? 0 : 0,
      percent: report?.percent ?? this.firstPercent,
      hasBeats: this.partHasBeats,
      isClickAlone: this.settings.musicVolume === 0,
      isVoiceMissing: this.voice.isMissing,
      missingNames: this.names?.missing ?? 0,
      isFetchingNames: this.names?.isFetching ?? false,
      problem: this.problem,
    };
    const keys = Object.keys(next) as (keyof PlayerSnapshot)[];
    if (keys.every((key) => next[key] === this.current[key])) return;
    this.current = next;
    this.listeners.tell();
  }
}
