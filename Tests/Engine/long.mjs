// Plays at other speeds for longer than 32 bits can count in hundredths of a frame. An Int has 32
// bits in WebAssembly and 64 natively.
// Use: node Tests/Engine/long.mjs ENGINE.wasm
import assert from 'node:assert/strict';
import { Engine, chunkFrames } from './engine.mjs';

const [wasm] = process.argv.slice(2);
if (!wasm) {
  console.error('Use: node Tests/Engine/long.mjs ENGINE.wasm');
  process.exit(2);
}
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
  const engine = begin([
    { command: 'load', start: 0, end: 2_073_600_000 }, { command: 'speed', ...speed },
  ]);
  render(engine, 48_000);
  const expected = 480 * (speed.percent ?? 100);
  assert.ok(Math.abs(engine.call.engine_frame(engine.handle) - expected) <= 2);
}

// Ten seconds, 50 times without a gap: more than seven minutes, and then the end.
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
console.log('engine: nothing is too long for WebAssembly');
