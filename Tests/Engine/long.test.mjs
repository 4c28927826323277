// Plays at other speeds for longer than 32 bits can count in hundredths of a frame. An Int has 32
// bits in WebAssembly and 64 natively.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Engine, chunkFrames } from './engine.mjs';

const wasm = 'dist/client/engine.wasm';
const block = new Float32Array(8_192);

function begin(steps) {
  const engine = new Engine(wasm);
  steps.forEach((step) => engine.apply(step));
  engine.apply({ command: 'provide', chunk: 0 });
  engine.apply({ command: 'play' });
  return engine;
}

function render(engine, frames) {
  let events = '';
  for (let done = 0; done < frames; done += 4_096) {
    engine.render(Math.min(4_096, frames - done), 128, block, block, 0);
    events += engine.events();
  }
  return events.trim().split('\n').map((line) => line.split(' ').map(Number));
}

// Twelve hours, the longest track.
for (const speed of [{ percent: 80 }, { percent: 200 }, { semitones: 1 }]) {
  test(`the longest track plays at ${JSON.stringify(speed)}`, () => {
    const engine = begin([
      { command: 'load', start: 0, end: 2_073_600_000 }, { command: 'speed', ...speed },
    ]);
    render(engine, 48_000);
    const expected = 480 * (speed.percent ?? 100);
    assert.ok(Math.abs(engine.call.engine_frame(engine.handle) - expected) <= 2);
  });
}

test('fifty repeats without a gap last more than seven minutes, and then it ends', () => {
  const turns = 50;
  const engine = begin([
    { command: 'load', start: 0, end: chunkFrames }, { command: 'loop', mode: 'whole' },
    { command: 'repeats', limit: turns }, { command: 'speed', percent: 200 },
  ]);
  const events = render(engine, turns * chunkFrames / 2 + 128);
  assert.deepEqual(
    events.map(([, , clock]) => clock),
    Array.from({ length: turns + 1 }, (_, turn) => turn * chunkFrames / 2));
  assert.equal(engine.call.engine_repeat_count(engine.handle), turns - 1);
});
