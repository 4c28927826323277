// The engine's WebAssembly module as a typed object. It transfers numbers and samples.
import { countdownRepeats, countIns, engineEvents, engineStates, loopModes, tickSounds } from '../generated/engine';
import type { EngineEventKind, EngineExports, EngineState } from '../generated/engine';
import { numbersOfBeat, numbersOfCall, numbersOfRecording, type Command, type PlayedLevel } from './messages';

export interface EngineEvent { kind: EngineEventKind; value: number; clock: number }
type Piece = Extract<Command, { kind: 'samples' }>;

const mostFrames = 4_096;

/** One engine in one instance of the module. */
export class Engine {
  private readonly exports: EngineExports;
  private readonly handle: number;
  private readonly output: number;
  private readonly event: number;
  private floats = new Float32Array(0);
  private doubles = new Float64Array(0);

  constructor(wasm: ArrayBuffer) {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm));
    // The module carries no types; these are generated from Exports.swift, which it is compiled from.
    this.exports = instance.exports as unknown as EngineExports;
    this.handle = this.exports.engine_create();
    this.output = this.exports.engine_make_output(mostFrames);
    this.event = this.exports.engine_make_output(4);
  }

  /** Fills both channels with the next frames. */
  render(left: Float32Array, right: Float32Array): void {
    const frames = Math.min(left.length, mostFrames);
    this.exports.engine_render(this.handle, frames, this.output);
    this.refreshViews();
    const from = this.output / 4;
    left.set(this.floats.subarray(from, from + frames));
    right.set(this.floats.subarray(from + frames, from + 2 * frames));
  }

  /** Writes a piece of a chunk to its place. Returns false if there is no room for it. */
  provide({ chunk, offset, left, right }: Piece): boolean {
    if (this.exports.engine_reserve(this.handle, chunk) === 0) return false;
    const place = [0, 1].map(
      (channel) => this.exports.engine_destination(this.handle, chunk, channel) >>> 0);
    if (place.includes(0)) {
      // There was a free slot, but not enough memory.
      this.exports.engine_discard(this.handle, chunk);
      return false;
    }
    this.refreshViews();
    this.floats.set(left, (place[0] ?? 0) / 4 + offset);
    this.floats.set(right, (place[1] ?? 0) / 4 + offset);
    this.exports.engine_mark_filled(this.handle, chunk, offset + left.length);
    return true;
  }

  /** Writes the part's beats to the engine's table, as many as there is room for. */
  private setBeats(beats: Int32Array): void {
    const count = Math.min(
      Math.floor(beats.length / numbersOfBeat), this.exports.engine_beat_capacity());
    const address = this.exports.engine_beats(this.handle) >>> 0;
    new Int32Array(this.exports.memory.buffer, address).set(beats.subarray(0, count * numbersOfBeat));
    this.exports.engine_set_beats(this.handle, count);
  }

  /** Writes a voice to the engine's memory, as much as there is room for. */
  private setVoice(recordings: Int32Array, samples: Int16Array): void {
    const { exports, handle } = this;
    const { buffer } = exports.memory;
    const count = Math.min(
      Math.floor(recordings.length / numbersOfRecording), exports.engine_voice_recording_capacity());
    const kept = samples.subarray(0, exports.engine_voice_sample_capacity());
    new Int32Array(buffer, exports.engine_voice_recordings(handle) >>> 0)
      .set(recordings.subarray(0, count * numbersOfRecording));
    new Int16Array(buffer, exports.engine_voice_samples(handle) >>> 0, kept.length).set(kept);
    exports.engine_set_voice(handle, count, kept.length);
  }

  /** Writes the names of moves to the engine's memory, as much as there is room for. */
  private setNames(recordings: Int32Array, samples: Int16Array): void {
    const { exports, handle } = this;
    const count = Math.min(Math.floor(recordings.length / numbersOfRecording), exports.engine_name_capacity());
    const kept = samples.subarray(0, exports.engine_name_sample_capacity());
    exports.engine_reserve_names(handle, kept.length);
    // Only now: the memory may have grown.
    const { buffer } = exports.memory;
    if (kept.length > 0) {
      new Int32Array(buffer, exports.engine_names(handle) >>> 0)
        .set(recordings.subarray(0, count * numbersOfRecording));
      new Int16Array(buffer, exports.engine_name_samples(handle) >>> 0, kept.length).set(kept);
    }
    exports.engine_set_names(handle, count, kept.length);
  }

  /** Writes the part's calls to the engine's table, as many as there is room for. */
  private setCalls(calls: Int32Array): void {
    const { exports, handle } = this;
    const count = Math.min(Math.floor(calls.length / numbersOfCall), exports.engine_call_capacity());
    new Int32Array(exports.memory.buffer, exports.engine_calls(handle) >>> 0)
      .set(calls.subarray(0, count * numbersOfCall));
    exports.engine_set_calls(handle, count);
  }

  /** Writes the levels to the engine's table, as many as there is room for. */
  private setLevels(levels: readonly PlayedLevel[]): void {
    const { exports, handle } = this;
    const count = Math.min(levels.length, exports.engine_level_capacity());
    // A level is a frame and a float.
    const table = new DataView(exports.memory.buffer, exports.engine_levels(handle) >>> 0, 8 * count);
    levels.slice(0, count).forEach(({ frame, gain }, index) => {
      table.setInt32(8 * index, frame, true);
      table.setFloat32(8 * index + 4, gain, true);
    });
    exports.engine_set_levels(handle, count);
  }

  /** Carries out a command. `lateFrames` is how many frames of the clock ago a join would have been on time. */
  apply(command: Exclude<Command, Piece>, lateFrames = 0): void {
    const { exports, handle } = this;
    switch (command.kind) {
      case 'load': exports.engine_load(handle, command.startFrame, command.endFrame); break;
      case 'unload': exports.engine_unload(handle); break;
      case 'play': exports.engine_play(handle); break;
      case 'pause': exports.engine_pause(handle); break;
      case 'seek': exports.engine_seek(handle, command.frame); break;
      case 'join': exports.engine_join(handle, command.frame, command.countdownFramesLeft, lateFrames); break;
      case 'loop':
        exports.engine_set_loop(handle, loopModes.indexOf(command.mode), command.a, command.b);
        break;
      case 'countdown':
        exports.engine_set_countdown(
          handle, command.frames, tickSounds.indexOf(command.sound),
          countdownRepeats.indexOf(command.repeats));
        break;
      case 'countIn':
        exports.engine_set_count_in(handle, countIns.indexOf(command.countIn));
        break;
      case 'repeats': exports.engine_set_repeats(handle, command.limit, command.restFrames); break;
      case 'speed':
        exports.engine_set_speed(handle, command.percent, command.semitones, command.isNaturalVoice ? 1 : 0);
        break;
      case 'trainer':
        exports.engine_set_trainer(
          handle, command.from, command.to, command.step, command.every);
        break;
      case 'tickVolume': exports.engine_set_tick_volume(handle, command.volume); break;
      case 'click': exports.engine_set_click(handle, command.volume); break;
      case 'speaking':
        exports.engine_set_speaking(handle, Number(command.countIn), Number(command.click));
        break;
      case 'voice': this.setVoice(command.recordings, command.samples); break;
      case 'caller': exports.engine_set_caller(handle, command.volume, command.duck); break;
      case 'names': this.setNames(command.recordings, command.samples); break;
      case 'calls': this.setCalls(command.calls); break;
      case 'levels': this.setLevels(command.levels); break;
      case 'volume': exports.engine_set_volume(handle, command.volume); break;
      case 'musicVolume': exports.engine_set_music_volume(handle, command.volume); break;
      case 'beats': this.setBeats(command.beats); break;
      case 'preview':
        exports.engine_preview_tick(handle, tickSounds.indexOf(command.sound));
        break;
      case 'discard': exports.engine_discard(handle, command.chunk); break;
      case 'discardAll': exports.engine_discard_all(handle); break;
    }
  }

  get state(): EngineState {
    return engineStates[this.exports.engine_state(this.handle)] ?? 'empty';
  }
  get frame(): number { return this.exports.engine_frame(this.handle); }
  get awaitedFrame(): number { return this.exports.engine_awaited_frame(this.handle); }
  get runFrames(): number { return this.exports.engine_run_frames(this.handle); }
  get countdownFramesLeft(): number {
    return this.exports.engine_countdown_frames_left(this.handle);
  }
  get countdownFrames(): number {
    return this.exports.engine_running_countdown_frames(this.handle);
  }
  get countInNumber(): number { return this.exports.engine_count_in_number(this.handle); }
  get repeat(): number { return this.exports.engine_repeat_count(this.handle); }
  get restFramesLeft(): number { return this.exports.engine_rest_frames_left(this.handle); }
  get percent(): number { return this.exports.engine_percent(this.handle); }
  get turnsWithoutGap(): boolean {
    return this.exports.engine_turns_without_gap(this.handle) === 1;
  }
  get isSounding(): boolean { return this.exports.engine_is_sounding(this.handle) === 1; }
  /** The frames rendered so far. */
  get clock(): number { return this.exports.engine_clock(this.handle); }

  /** Removes and returns the oldest event. */
  nextEvent(): EngineEvent | null {
    if (this.exports.engine_next_event(this.handle, this.event) === 0) return null;
    this.refreshViews();
    const [kind = 0, value = 0, clock = 0] = this.doubles.subarray(
      this.event / 8, this.event / 8 + 3);
    return { kind: engineEvents[kind] ?? 'started', value, clock };
  }

  /** Views of the memory become invalid when it grows. */
  private refreshViews(): void {
    if (this.floats.buffer === this.exports.memory.buffer) return;
    this.floats = new Float32Array(this.exports.memory.buffer);
    this.doubles = new Float64Array(this.exports.memory.buffer);
  }
}
