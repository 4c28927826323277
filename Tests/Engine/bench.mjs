// Measures what one block of 128 frames costs in WebAssembly while a section loops with ticks.
// Use: node Tests/Engine/bench.mjs ENGINE.wasm
// The peer, in the same run, is a bare copy of the same frames by typed arrays.
import { Engine } from './engine.mjs';

const [wasm] = process.argv.slice(2);
if (!wasm) {
  console.error('Use: node Tests/Engine/bench.mjs ENGINE.wasm');
  process.exit(2);
}
const blocks = 100_000;
const blockMicroseconds = (128 / 48_000) * 1e6;
const engine = new Engine(wasm);
const { call, handle, output } = engine;
for (const step of [
  { command: 'load', start: 0, end: 480_000 },
  { command: 'provide', chunk: 0 },
  { command: 'loop', mode: 'section', a: 10_000, b: 106_000 },
  { command: 'countdown', frames: 96_000, sound: 'piano', repeats: 'every' },
  { command: 'play' },
]) engine.apply(step);

function measure(work) {
  const times = new Float64Array(blocks);
  for (let block = 0; block < blocks; block += 1) {
    const start = process.hrtime.bigint();
    work(block);
    times[block] = Number(process.hrtime.bigint() - start) / 1_000;
  }
  times.sort();
  return {
    median: times[blocks >> 1],
    late: times[Math.floor(blocks * 0.999)],
    worst: times[blocks - 1],
  };
}

const renderBlock = () => {
  call.engine_render(handle, 128, output);
  while (call.engine_next_event(handle, engine.event)) { /* As the worklet does. */ }
};
const address = call.engine_destination(handle, 0, 0);
const source = engine.floats(address, 480_000);
const target = new Float32Array(256);
const copyBlock = (block) => {
  const from = (block * 128) % 400_000;
  target.set(source.subarray(from, from + 128));
  target.set(source.subarray(from, from + 128), 128);
};
measure(renderBlock);
const rows = [
  ['engine, looping with ticks', measure(renderBlock)],
  ['bare copy', measure(copyBlock)],
];

console.log(`one block of 128 frames, ${blocks} times (share of its 2.67 ms)`);
for (const [name, { median, late, worst }] of rows) {
  const cell = (value) =>
    `${value.toFixed(2)} µs (${((100 * value) / blockMicroseconds).toFixed(2)} %)`.padStart(24);
  console.log(
    `${name.padEnd(28)} median${cell(median)}  99.9 %${cell(late)}  worst${cell(worst)}`);
}
console.log(`ratio of the medians: ${(rows[0][1].median / rows[1][1].median).toFixed(1)}`);
