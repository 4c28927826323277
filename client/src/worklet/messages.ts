// What the main thread and the worklet say to each other. Frames are those of the track unless the
// name says otherwise.

import type { CountdownRepeats, EngineState, LoopMode, TickSound } from '../generated/engine';

/** Decoded audio is handed over in pieces of this many frames, one to a block while it sounds. */
export const pieceFrames = 48_000;

export type Command =
  | { kind: 'load'; startFrame: number; endFrame: number }
  | { kind: 'unload' }
  | { kind: 'play' }
  | { kind: 'pause' }
  | { kind: 'seek'; frame: number }
  | { kind: 'loop'; mode: LoopMode; a: number; b: number }
  | { kind: 'countdown'; frames: number; sound: TickSound; repeats: CountdownRepeats }
  /** How often a loop is heard, 0 for without end, and the silence between two repeats. */
  | { kind: 'repeats'; limit: number; restFrames: number }
  | { kind: 'speed'; percent: number; semitones: number }
  /** Speeds in percent; `every` 0 switches the trainer off. */
  | { kind: 'trainer'; from: number; to: number; step: number; every: number }
  | { kind: 'preview'; sound: TickSound }
  /** A piece of a chunk; the pieces of one chunk come in order. */
  | { kind: 'samples'; chunk: number; offset: number; left: Float32Array; right: Float32Array }
  | { kind: 'discard'; chunk: number }
  | { kind: 'discardAll' };

/** A command; reports carry the latest `sequence` that was obeyed when they were written. */
export interface ToWorklet { sequence: number; command: Command }

/** What the engine is doing at one moment of the audio clock. */
export interface Report {
  kind: 'report';
  sequence: number;
  state: EngineState;
  /** The frame that is heard next. */
  frame: number;
  /** While it waits: the frame that it waits for, which may lie ahead of the one heard next. */
  awaitedFrame: number;
  /** The frames heard since playback last began at a new place. */
  runFrames: number;
  countdownFramesLeft: number;
  countdownFrames: number;
  repeat: number;
  restFramesLeft: number;
  /** The speed that holds: frames of the track are heard at this many percent of the clock. */
  percent: number;
  /** Whether the audio goes round without a gap at the next end. */
  turnsWithoutGap: boolean;
  /** The context's frame at which all this is so. */
  contextFrame: number;
}

export type FromWorklet =
  | Report
  /** There was no room for a chunk. */
  | { kind: 'refused'; chunk: number }
  /** The engine broke at a command: it is of no use any more. */
  | { kind: 'failed' };

/** What the worklet's node is made with. */
export interface ProcessorOptions { wasm: ArrayBuffer }
export const processorName = 'segmance-engine';
