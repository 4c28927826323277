// What was heard, by the real engine's reports, as its host on the audio thread makes them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { PlayerPart } from '../../src/audio/player';
import { playbackBounds } from '../../src/audio/bounds';
import { HeardSum, heardSections } from '../../src/practiceLog/entry';
import { HeardTracker } from '../../src/practiceLog/heard';
import { chunkFrames } from '../../src/timeline';
import { Engine } from '../../src/worklet/engine';
import type { Command } from '../../src/worklet/messages';

const second = 48_000;
const block = 128;
const part: PlayerPart = { id: 'p', trackId: 't', trackLengthFrames: chunkFrames, startFrame: 1 * second, endFrame: 4 * second };
const noise = Float32Array.from({ length: chunkFrames }, (_, index) => Math.sin(index * index) * 0.1);
const moving = ['load', 'play', 'pause', 'seek', 'loop'];

/** An engine with ten seconds of noise, and what was heard of it. */
class Listener {
  readonly sum = new HeardSum();
  private readonly engine = new Engine(readFileSync('dist/client/engine.wasm').buffer);
  private readonly tracker = new HeardTracker((piece) => this.sum.add(piece));
  private sequence = 0;
  private loop = { loopMode: 'off' as 'off' | 'whole' | 'section', markerA: 0, markerB: 0 };
  private blocks = 0;

  constructor() {
    this.engine.provide({ kind: 'samples', chunk: 0, offset: 0, left: noise, right: noise });
    this.do({ kind: 'load', startFrame: part.startFrame, endFrame: part.endFrame });
  }

  do(command: Exclude<Command, { kind: 'samples' }>): this {
    if (moving.includes(command.kind)) this.sequence += 1;
    if (command.kind === 'loop') this.loop = { loopMode: command.mode, markerA: command.a, markerB: command.b };
    this.engine.apply(command);
    this.report();
    return this;
  }

  /** Renders so many seconds, or until it ends. */
  render(seconds: number): this {
    const [left, right] = [new Float32Array(block), new Float32Array(block)];
    for (let frames = 0; frames < seconds * second && this.engine.state !== 'ended'; frames += block) {
      this.engine.render(left, right);
      let isDue = (this.blocks += 1) % 12 === 0;
      while (this.engine.nextEvent()) isDue = true;
      if (isDue) this.report();
    }
    return this;
  }

  get lines(): number[][] {
    return heardSections(this.sum.text).map(({ startFrame, endFrame, passes, seconds, percent }) => (
      [startFrame / second, endFrame / second, passes, seconds, percent]
    ));
  }

  private report(): void {
    const { engine } = this;
    const report = {
      kind: 'report', sequence: this.sequence, state: engine.state, frame: engine.frame, awaitedFrame: engine.awaitedFrame,
      runFrames: engine.runFrames, countdownFramesLeft: engine.countdownFramesLeft, countdownFrames: engine.countdownFrames,
      countInNumber: engine.countInNumber, repeat: engine.repeat, restFramesLeft: engine.restFramesLeft, percent: engine.percent,
      turnsWithoutGap: engine.turnsWithoutGap, contextFrame: 0,
    } as const;
    this.tracker.take({ report, part, bounds: playbackBounds(part, this.loop), hasMusic: true });
  }
}

const whole = { kind: 'loop', mode: 'whole', a: 0, b: 0 } as const;

for (const percent of [50, 73, 100, 120, 200]) {
  test(`at ${percent} percent a part and a loop have their passes`, () => {
    const seconds = (passes: number): number => Math.round(((3 * passes) * 100) / percent);
    const speed = { kind: 'speed', percent, semitones: 0 } as const;
    const once = new Listener().do(speed).do({ kind: 'play' }).render(60);
    assert.deepEqual(once.lines, [[1, 4, 1, seconds(1), percent]]);
    for (const countdown of [0, second]) {
      for (const restFrames of [0, second / 2]) {
        const looped = new Listener().do(speed).do(whole)
          .do({ kind: 'countdown', frames: countdown, sound: 'clave', repeats: 'every' })
          .do({ kind: 'repeats', limit: 4, restFrames }).do({ kind: 'play' }).render(60);
        assert.deepEqual(looped.lines, [[1, 4, 4, seconds(4), percent]], `countdown ${countdown}, rest ${restFrames}`);
      }
    }
  });
}

test('a trainer’s highest speed is the one of its last whole pass', () => {
  const listener = new Listener().do(whole).do({ kind: 'trainer', from: 80, to: 110, step: 10, every: 1 })
    .do({ kind: 'repeats', limit: 4, restFrames: 0 }).do({ kind: 'play' }).render(60);
  assert.deepEqual(listener.lines.map(([, , passes, , percent]) => [passes, percent]), [[4, 110]]);
});

test('a speed that is changed while it plays breaks no pass; the slower one counts', () => {
  const listener = new Listener().do(whole).do({ kind: 'repeats', limit: 3, restFrames: 0 }).do({ kind: 'play' }).render(1)
    .do({ kind: 'speed', percent: 80, semitones: 0 }).render(4).do({ kind: 'speed', percent: 90, semitones: 2 }).render(60);
  const [[, , passes, seconds, percent] = []] = listener.lines;
  assert.deepEqual([passes, percent], [3, 90]);
  assert(Math.abs((seconds ?? 0) - (1 + 4 + (9 - 1 - 3.2) / 0.9)) <= 1);
});

test('a section, a seek and a pause at half speed', () => {
  const listener = new Listener().do({ kind: 'speed', percent: 50, semitones: 0 }).do({ kind: 'play' }).render(1)
    .do({ kind: 'loop', mode: 'section', a: 2 * second, b: 3 * second }).render(4.5)
    .do({ kind: 'pause' }).render(3).do({ kind: 'seek', frame: 2.5 * second }).do({ kind: 'play' }).render(1);
  assert.deepEqual(listener.lines.map(([start, end, passes]) => [start, end, passes]), [[1, 4, 0], [2, 3, 2]]);
});
