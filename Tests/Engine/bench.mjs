// Measures the time of one block of 128 frames in WebAssembly: in loops with ticks, clicks, numbers and names, and at
// half speed in a loop and with jumps.
// Use: node Tests/Engine/bench.mjs ENGINE.wasm [BLOCKS]
// The baseline, in the same run, is a plain copy of the same frames with typed arrays.
import { Engine } from './engine.mjs';

const [wasm, count] = process.argv.slice(2);
const defaultBlocks = Number(count ?? 100_000);
if (!wasm || !(defaultBlocks > 0)) {
  console.error('Use: node Tests/Engine/bench.mjs ENGINE.wasm [BLOCKS]');
  process.exit(2);
}
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

const clicking = new Engine(wasm);
for (const step of [
  { command: 'load', start: 0, end: 480_000 },
  { command: 'provide', chunk: 0 },
  { command: 'beats', beats: Array.from({ length: 40 }, (_, index) => [index * 12_000, index % 8 + 1, index % 4 + 1, 4]) },
  { command: 'click', value: 1 },
  { command: 'loop', mode: 'whole' },
  { command: 'play' },
]) clicking.apply(step);

const speaking = new Engine(wasm);
for (const step of [
  { command: 'load', start: 0, end: 480_000 },
  { command: 'provide', chunk: 0 },
  { command: 'beats', beats: Array.from({ length: 40 }, (_, index) => [index * 12_000, index % 8 + 1, index % 4 + 1, 4]) },
  { command: 'voice', recordings: Array.from({ length: 8 }, (_, index) => [index * 9_000, 9_000, 2_000]) },
  { command: 'speaking', countIn: true, click: true },
  { command: 'click', value: 1 },
  { command: 'loop', mode: 'whole' },
  { command: 'play' },
]) speaking.apply(step);

const calling = new Engine(wasm);
for (const step of [
  { command: 'load', start: 0, end: 480_000 },
  { command: 'provide', chunk: 0 },
  { command: 'names', recordings: Array.from({ length: 8 }, (_, index) => [index * 15_000, 15_000, 2_000]) },
  // A name of 0.6 s every 0.8 s.
  { command: 'calls', calls: Array.from({ length: 12 }, (_, index) => [index * 40_000, index * 40_000 - 60_000, index % 8 + 1]) },
  { command: 'caller', value: 1, duck: 0.3 },
  { command: 'loop', mode: 'whole' },
  { command: 'play' },
]) calling.apply(step);

function measure(work, blocks = defaultBlocks) {
  const times = new Float64Array(blocks);
  for (let block = 0; block < blocks; block += 1) {
    const start = process.hrtime.bigint();
    work(block);
    times[block] = Number(process.hrtime.bigint() - start) / 1_000;
  }
  times.sort();
  return {
    mean: times.reduce((sum, time) => sum + time, 0) / blocks,
    median: times[blocks >> 1],
    late: times[Math.floor(blocks * 0.999)],
    worst: times[blocks - 1],
  };
}

const renderBlock = () => {
  call.engine_render(handle, 128, output);
  while (call.engine_next_event(handle, engine.event)) { /* The worklet does the same. */ }
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

const looping = measure(renderBlock);
for (const step of [
  { command: 'countdown', frames: 0, sound: 'piano', repeats: 'every' },
  { command: 'speed', percent: 50, semitones: 0 },
]) engine.apply(step);
measure(renderBlock, 5_000);
const slowed = measure(renderBlock);
const jumping = measure((block) => {
  if (block % 400 === 0) call.engine_seek(handle, 12_000 + ((block * 211) % 80_000));
  renderBlock();
});
engine.apply({ command: 'speed', percent: 100, semitones: 7 });
measure(renderBlock, 5_000);
const transposed = measure(renderBlock);
engine.apply({ command: 'speed', percent: 100, semitones: 7, naturalVoice: true });
measure(renderBlock, 5_000);
const natural = measure(renderBlock);
const naturalJumping = measure((block) => {
  if (block % 400 === 0) call.engine_seek(handle, 12_000 + ((block * 211) % 80_000));
  renderBlock();
});
const rendering = (other) => () => {
  other.call.engine_render(other.handle, 128, other.output);
  while (other.call.engine_next_event(other.handle, other.event)) { /* As above. */ }
};
measure(rendering(clicking), 5_000);
measure(rendering(speaking), 5_000);
measure(rendering(calling), 5_000);
const rows = [
  ['engine, looping with ticks', looping],
  ['engine, looping with a click every 0.25 s', measure(rendering(clicking))],
  ['engine, looping with a number every 0.25 s', measure(rendering(speaking))],
  ['engine, looping with a name every 0.8 s', measure(rendering(calling))],
  ['engine, at half speed', slowed],
  ['engine, at half speed, a jump every second', jumping],
  ['engine, a fifth up', transposed],
  ['engine, a fifth up, natural voice', natural],
  ['engine, the same, a jump every second', naturalJumping],
  ['bare copy', measure(copyBlock)],
];

console.log(`one block of 128 frames (share of its 2.67 ms)`);
for (const [name, { mean, median, late, worst }] of rows) {
  const cell = (value) =>
    ` ${value.toFixed(2)} µs (${((100 * value) / blockMicroseconds).toFixed(2)} %)`.padStart(25);
  console.log(
    `${name.padEnd(44)} median${cell(median)}  mean${cell(mean)}  99.9 %${cell(late)}  worst${cell(worst)}`);
}
console.log(`ratio of the medians: ${(looping.median / rows[rows.length - 1][1].median).toFixed(1)}`);
