// The engine's WebAssembly module in Node, with helpers that feed it. The vectors and the benchmark use it.
import { readFileSync } from 'node:fs';

export const chunkFrames = 480_000;
export const trackFrames = 960_000;
export const sounds =
  ['clave', 'piano', 'bongo', 'kick', 'wood', 'tambourine', 'hiHat', 'snap'];

/** 16-bit noise, equal to Signal.noise of Tests/PracticeEngineTests/Rig.swift. */
export function noise(frame, channel) {
  let x = (Math.imul(frame, 2_654_435_761) + Math.imul(channel, 2_654_435_769)) >>> 0;
  x ^= x >>> 15;
  x = Math.imul(x, 2_246_822_519) >>> 0;
  x ^= x >>> 13;
  const value = (x << 16) >> 16;
  return (value === 0 ? 1 : value) / 32_768;
}

export class Engine {
  constructor(path) {
    const module = new WebAssembly.Module(readFileSync(path));
    const imports = WebAssembly.Module.imports(module);
    if (imports.length > 0) {
      throw new Error(`The engine must import nothing: ${JSON.stringify(imports)}`);
    }
    this.call = new WebAssembly.Instance(module).exports;
    this.handle = this.call.engine_create();
    this.output = this.call.engine_make_output(4_096);
    this.event = this.call.engine_make_output(6);
  }

  floats(address, count) {
    return new Float32Array(this.call.memory.buffer, address >>> 0, count);
  }

  provide(chunk, frames = chunkFrames) {
    if (!this.call.engine_reserve(this.handle, chunk)) throw new Error('no room for a chunk');
    const count = Math.min(frames, trackFrames - chunk * chunkFrames);
    for (const channel of [0, 1]) {
      const address = this.call.engine_destination(this.handle, chunk, channel);
      const samples = this.floats(address, count);
      for (let frame = 0; frame < count; frame += 1) {
        samples[frame] = noise(chunk * chunkFrames + frame, channel);
      }
    }
    this.call.engine_mark_filled(this.handle, chunk, count);
  }

  /** Writes beats to the engine's table; each is its four numbers. */
  setBeats(beats) {
    const table = this.call.engine_beats(this.handle) >>> 0;
    new Int32Array(this.call.memory.buffer, table, 4 * beats.length).set(beats.flat());
    this.call.engine_set_beats(this.handle, beats.length);
  }

  /** Gives the engine these recordings, of the left channel's noise. */
  setVoice(recordings) {
    const { buffer } = this.call.memory;
    const table = this.call.engine_voice_recordings(this.handle) >>> 0;
    new Int32Array(buffer, table, 3 * recordings.length).set(recordings.flat());
    const samples = Math.max(0, ...recordings.map(([start, frames]) => start + frames));
    const voice = new Int16Array(buffer, this.call.engine_voice_samples(this.handle) >>> 0, samples);
    for (let index = 0; index < samples; index += 1) voice[index] = noise(index, 0) * 32_768;
    this.call.engine_set_voice(this.handle, recordings.length, samples);
  }

  /** Gives the engine these names, of the right channel's noise. */
  setNames(recordings) {
    const { call, handle } = this;
    const samples = Math.max(0, ...recordings.map(([start, frames]) => start + frames));
    call.engine_reserve_names(handle, samples);
    const { buffer } = call.memory;
    new Int32Array(buffer, call.engine_names(handle) >>> 0, 3 * recordings.length).set(recordings.flat());
    const names = new Int16Array(buffer, call.engine_name_samples(handle) >>> 0, samples);
    for (let index = 0; index < samples; index += 1) names[index] = noise(index, 1) * 32_768;
    call.engine_set_names(handle, recordings.length, samples);
  }

  /** Writes levels to the engine's table; each is its frame and its gain. */
  setLevels(levels) {
    const table = this.call.engine_levels(this.handle) >>> 0;
    levels.forEach(([frame, gain], index) => {
      new Int32Array(this.call.memory.buffer, table + 8 * index, 1)[0] = frame;
      new Float32Array(this.call.memory.buffer, table + 8 * index + 4, 1)[0] = gain;
    });
    this.call.engine_set_levels(this.handle, levels.length);
  }

  /** Writes calls to the engine's table; each is its three numbers. */
  setCalls(calls) {
    const table = this.call.engine_calls(this.handle) >>> 0;
    new Int32Array(this.call.memory.buffer, table, 3 * calls.length).set(calls.flat());
    this.call.engine_set_calls(this.handle, calls.length);
  }

  /** Applies one step of a scenario. */
  apply(step) {
    const { call, handle } = this;
    switch (step.command) {
      case 'load': call.engine_load(handle, step.start, step.end); break;
      case 'provide': this.provide(step.chunk, step.frames); break;
      case 'discard': call.engine_discard(handle, step.chunk); break;
      case 'play': call.engine_play(handle); break;
      case 'pause': call.engine_pause(handle); break;
      case 'seek': call.engine_seek(handle, step.frame); break;
      case 'volume': call.engine_set_volume(handle, step.value); break;
      case 'tickVolume': call.engine_set_tick_volume(handle, step.value); break;
      case 'click': call.engine_set_click(handle, step.value); break;
      case 'musicVolume': call.engine_set_music_volume(handle, step.value); break;
      case 'countIn':
        call.engine_set_count_in(handle, ['seconds', 'four', 'eight', 'bar', 'fourFromOne'].indexOf(step.mode));
        break;
      case 'voice': this.setVoice(step.recordings); break;
      case 'speaking':
        call.engine_set_speaking(handle, step.countIn ? 1 : 0, step.click ? 1 : 0);
        break;
      case 'beats': this.setBeats(step.beats); break;
      case 'names': this.setNames(step.recordings); break;
      case 'calls': this.setCalls(step.calls); break;
      case 'levels': this.setLevels(step.levels); break;
      case 'caller': call.engine_set_caller(handle, step.value, step.duck); break;
      case 'preview': call.engine_preview_tick(handle, sounds.indexOf(step.sound)); break;
      case 'loop':
        call.engine_set_loop(
          handle, ['off', 'whole', 'section'].indexOf(step.mode), step.a ?? 0, step.b ?? 0);
        break;
      case 'countdown':
        call.engine_set_countdown(
          handle, step.frames, sounds.indexOf(step.sound), step.repeats === 'first' ? 1 : 0);
        break;
      case 'repeats': call.engine_set_repeats(handle, step.limit ?? 0, step.rest ?? 0); break;
      case 'speed':
        call.engine_set_speed(handle, step.percent ?? 100, step.semitones ?? 0, step.naturalVoice ? 1 : 0);
        break;
      case 'trainer':
        call.engine_set_trainer(handle, step.from, step.to, step.step, step.every);
        break;
      default: throw new Error(`unknown command ${step.command}`);
    }
  }

  /** Renders frames into two arrays, starting at an index. */
  render(frames, blockSize, left, right, from) {
    for (let done = 0; done < frames;) {
      const count = Math.min(blockSize, frames - done);
      this.call.engine_render(this.handle, count, this.output);
      left.set(this.floats(this.output, count), from + done);
      right.set(this.floats(this.output + 4 * count, count), from + done);
      done += count;
    }
  }

  /** Returns the events since the last call, as lines of text. */
  events() {
    let lines = '';
    while (this.call.engine_next_event(this.handle, this.event)) {
      const [kind, value, clock] = new Float64Array(this.call.memory.buffer, this.event, 3);
      lines += `${kind} ${value} ${clock}\n`;
    }
    return lines;
  }
}
