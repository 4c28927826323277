// The messages between the main thread and the worklet. Frames are those of the track unless the
// name differs.

import type { CountdownRepeats, CountIn, EngineState, LoopMode, TickSound } from '../generated/engine';

/** The numbers of a beat in a table: its frame, its count in the eight, its place in the bar, the bar's beats. */
export const numbersOfBeat = 4;

/** The numbers of a recording: its first sample, its length and its attack, in samples. */
export const numbersOfRecording = 3;

/** The numbers of a call: its move's frame, the frame on which its name is said, and the number of the name, from 1. */
export const numbersOfCall = 3;

/** A gain of the audio, 0 to 10, from a frame of what is loaded on; 1 leaves the samples unchanged. */
export interface PlayedLevel { readonly frame: number; readonly gain: number }

/** Decoded audio is sent in pieces of this many frames, one per block during playback. */
export const pieceFrames = 48_000;

export type Command =
  | { kind: 'load'; startFrame: number; endFrame: number }
  | { kind: 'unload' }
  | { kind: 'play' }
  | { kind: 'pause' }
  | { kind: 'seek'; frame: number }
  /**
   * Plays along with another engine: `frame` belongs to the context's frame `contextFrame`, or these frames of a
   * countdown are left there.
   */
  | { kind: 'join'; frame: number; countdownFramesLeft: number; contextFrame: number }
  | { kind: 'loop'; mode: LoopMode; a: number; b: number }
  | { kind: 'countdown'; frames: number; sound: TickSound; repeats: CountdownRepeats }
  /** What is counted before the start; where there are no beats, the countdown's seconds. */
  | { kind: 'countIn'; countIn: CountIn }
  /** How often a loop is played, 0 for without end, and the silence between two repeats. */
  | { kind: 'repeats'; limit: number; restFrames: number }
  /** A natural voice keeps the formants where they are. */
  | { kind: 'speed'; percent: number; semitones: number; isNaturalVoice?: boolean }
  /** Speeds in percent; `every` 0 switches the trainer off. */
  | { kind: 'trainer'; from: number; to: number; step: number; every: number }
  /** 1 is the ticks' own level, 1.25 the loudest. */
  | { kind: 'tickVolume'; volume: number }
  /** 0 is off, 1 the clicks' own level, 1.25 the loudest. */
  | { kind: 'click'; volume: number }
  /** Whether the numbers of a count-in, and those of the clicks, are said. */
  | { kind: 'speaking'; countIn: boolean; click: boolean }
  /** The recordings of a voice, `numbersOfRecording` numbers each, and its samples at 24,000 Hz. */
  | { kind: 'voice'; recordings: Int32Array; samples: Int16Array }
  /** The volume of the caller, 0 being off; and that of the part's audio while a name is said. */
  | { kind: 'caller'; volume: number; duck: number }
  /** The names of moves, laid out as a voice. */
  | { kind: 'names'; recordings: Int32Array; samples: Int16Array }
  /** The calls of the part: `numbersOfCall` numbers each. `load` and `unload` empty the table. */
  | { kind: 'calls'; calls: Int32Array }
  /** The levels of what is loaded, with rising frames. `load` and `unload` empty the table. */
  | { kind: 'levels'; levels: readonly PlayedLevel[] }
  /** The volume of everything, 0 to 1. */
  | { kind: 'volume'; volume: number }
  /** The volume of the part's audio alone, 0 to 1. */
  | { kind: 'musicVolume'; volume: number }
  /** The beats of the part: `numbersOfBeat` numbers each. `load` and `unload` empty the table. */
  | { kind: 'beats'; beats: Int32Array }
  | { kind: 'preview'; sound: TickSound }
  /** A piece of a chunk; the pieces of one chunk come in order. */
  | { kind: 'samples'; chunk: number; offset: number; left: Float32Array; right: Float32Array }
  | { kind: 'discard'; chunk: number }
  | { kind: 'discardAll' };

/** A command; reports carry the latest `sequence` that was carried out when they were made. */
export interface ToWorklet { sequence: number; command: Command }

/** The engine's state at one moment of the audio clock. */
export interface Report {
  kind: 'report';
  sequence: number;
  state: EngineState;
  /** The next frame. */
  frame: number;
  /** In the state waiting: the missing frame, which may lie ahead of the next frame. */
  awaitedFrame: number;
  /** The frames played since playback last began at a new position. */
  runFrames: number;
  countdownFramesLeft: number;
  countdownFrames: number;
  /** The number that was counted last in a count-in, else 0. */
  countInNumber: number;
  repeat: number;
  restFramesLeft: number;
  /** The current speed: frames of the track are played at this percentage of the clock. */
  percent: number;
  /** Whether the audio loops without a gap at the next end. */
  turnsWithoutGap: boolean;
  /** The context's frame of this report. */
  contextFrame: number;
}

export type FromWorklet =
  | Report
  /** There was no room for a chunk. */
  | { kind: 'refused'; chunk: number }
  /** The engine failed at a command and is unusable. */
  | { kind: 'failed' };

/** The options of the worklet's node. */
export interface ProcessorOptions { wasm: ArrayBuffer }
export const processorName = 'segmance-engine';
